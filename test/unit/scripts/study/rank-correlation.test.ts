import { expect, test } from "vitest";
import { rankCorrelation } from "../../../../scripts/study/rank-correlation.ts";

// By hand: ranks 1 2 3 4 5 against 2 1 4 3 5: squared differences 4, so 1 - 6*4/(5*24) = 0.8.
test("Spearman's correlation of ranks without ties", () => {
  expect(rankCorrelation([10, 20, 30, 40, 50], [7, -3, 9, 8, 100])).toBeCloseTo(0.8, 12);
});

// By hand: ranks 1 2.5 2.5 4 against 1 2 3 4, about 2.5: products 2.25 + 0 + 0 + 2.25 = 4.5; squares 4.5 and 5.
test("ties share their mean rank", () => {
  expect(rankCorrelation([1, 2, 2, 3], [1, 2, 3, 4])).toBeCloseTo(4.5 / Math.sqrt(22.5), 12);
});

test("without variation or with two pairs it is unknown", () => {
  expect(rankCorrelation([1, 1, 1], [1, 2, 3])).toBeNull();
  expect(rankCorrelation([1, 2], [1, 2])).toBeNull();
});
