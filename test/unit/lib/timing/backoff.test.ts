import { expect, test } from "vitest";
import { backoff } from "../../../../src/lib/timing/backoff.ts";

test("a delay doubles with each failure in a row, up to the longest", () => {
  expect([1, 2, 3, 4, 5, 60].map((failures) => backoff(failures, 2, 20))).toEqual([2, 4, 8, 16, 20, 20]);
});

test("a delay without a longest one keeps doubling", () => {
  expect(backoff(8, 60)).toBe(7_680);
});
