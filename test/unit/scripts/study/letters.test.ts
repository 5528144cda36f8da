import { expect, test } from "vitest";
import { cutLike, letterByFloors } from "../../../../scripts/study/letters.ts";

test("values are cut into grades of the given sizes, best first", () => {
  const values = Float64Array.from([5, 1, 9, 3, 7, 2, 8, 6, 4, 10]);
  const floors = cutLike(values, [1, 2, 0, 4, 2, 1]);
  const counts = [0, 0, 0, 0, 0, 0];
  for (const value of values) counts[letterByFloors(value, floors)] = (counts[letterByFloors(value, floors)] ?? 0) + 1;
  expect(counts).toEqual([1, 2, 0, 4, 2, 1]);
  expect(letterByFloors(10, floors)).toBe(0);
});

test("a grade of size zero cannot be reached", () => {
  expect(letterByFloors(1e9, cutLike(Float64Array.from([1, 2]), [0, 0, 0, 0, 0, 2]))).toBe(5);
});
