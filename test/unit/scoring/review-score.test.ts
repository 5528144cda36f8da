import { expect, test } from "vitest";
import { reviewScore } from "../../../src/scoring/review-score.ts";

// By hand: size 50,000 over a floor of 5,000 is ln 10 / ln 200 = 0.43458 of the full size; a buy at 0.25 has odds 0.75.
test("size counts logarithmically and odds by what the bought side would gain", () => {
  expect(reviewScore(50_000, 5_000, 0.25, "BUY")).toBe(0.5292);
});

test("a sale is read as buying the other side", () => {
  expect(reviewScore(50_000, 5_000, 0.75, "SELL")).toBe(reviewScore(50_000, 5_000, 0.25, "BUY"));
});

test("it stays between 0 and 1 at the ends", () => {
  expect(reviewScore(5_000, 5_000, 1, "BUY")).toBe(0);
  expect(reviewScore(1e12, 5_000, 0, "BUY")).toBe(1);
});
