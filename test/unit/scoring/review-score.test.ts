import { expect, test } from "vitest";
import { reviewScore } from "../../../src/scoring/review-score.ts";

// Computed by hand: a size of 50,000 over a floor of 5,000 is ln 10 / ln 200 = 0.43458 of the full size; a
// buy at 0.25 has odds of 0.75.
test("the review score counts size logarithmically and odds by the possible gain of the bought side", () => {
  expect(reviewScore(50_000, 5_000, 0.25, "BUY")).toBe(0.5292);
});

test("the review score of a sell is that of a buy of the other side", () => {
  expect(reviewScore(50_000, 5_000, 0.75, "SELL")).toBe(reviewScore(50_000, 5_000, 0.25, "BUY"));
});

test("the review score is between 0 and 1 at its limits", () => {
  expect(reviewScore(5_000, 5_000, 1, "BUY")).toBe(0);
  expect(reviewScore(1e12, 5_000, 0, "BUY")).toBe(1);
});
