import { expect, test } from "vitest";
import { chunk } from "../../../src/lib/chunk.ts";

test("items are grouped in order, and the last group has the rest", () => {
  expect(chunk([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunk([1, 2], 2)).toEqual([[1, 2]]);
  expect(chunk([], 2)).toEqual([]);
});
