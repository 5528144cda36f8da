import { expect, test } from "vitest";
import { rankCorrelation } from "../../../../scripts/study/rank-correlation.ts";

// Computed by hand: ranks 1 2 3 4 5 against 2 1 4 3 5: squared differences 4, so 1 - 6*4/(5*24) = 0.8.
test("Spearman's rank correlation without ties equals the value computed by hand", () => {
  expect(rankCorrelation([10, 20, 30, 40, 50], [7, -3, 9, 8, 100])).toBeCloseTo(0.8, 12);
});

// Computed by hand: ranks 1 2.5 2.5 4 against 1 2 3 4, around 2.5: products 2.25 + 0 + 0 + 2.25 = 4.5;
// squares 4.5 and 5.
test("tied values share their mean rank", () => {
  expect(rankCorrelation([1, 2, 2, 3], [1, 2, 3, 4])).toBeCloseTo(4.5 / Math.sqrt(22.5), 12);
});

test("the rank correlation is unknown without variation or with only two pairs", () => {
  expect(rankCorrelation([1, 1, 1], [1, 2, 3])).toBeNull();
  expect(rankCorrelation([1, 2], [1, 2])).toBeNull();
});
