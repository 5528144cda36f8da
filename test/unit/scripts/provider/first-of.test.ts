import { expect, test } from "vitest";
import { firstOf } from "../../../../scripts/provider/http/first-of.ts";
import { createRandom } from "../../../../scripts/provider/simulate/random.ts";

const compare = (a: { value: number }, b: { value: number }) => a.value - b.value;

test.each([0, 1, 7, 100])("the first %i of random rows are those of a sort, equal ones in their order", (count) => {
  const random = createRandom(7);
  const rows = Array.from({ length: 1_000 }, (_, n) => ({ n, value: random.integer(0, 49) }));
  expect(firstOf(rows, count, compare)).toEqual(rows.toSorted(compare).slice(0, count));
  const ordered = rows.toSorted(compare);
  expect(firstOf(ordered, count, compare)).toEqual(ordered.slice(0, count));
  expect(firstOf(ordered.toReversed(), count, compare)).toEqual(ordered.toReversed().toSorted(compare).slice(0, count));
});

test("rows that are not included are no part of the first", () => {
  const rows = Array.from({ length: 100 }, (_, value) => ({ value: (value * 37) % 100 }));
  const isEven = ({ value }: { readonly value: number }) => value % 2 === 0;
  expect(firstOf(rows, 3, compare, isEven)).toEqual([{ value: 0 }, { value: 2 }, { value: 4 }]);
});

test("fewer rows than asked for are all there", () => {
  expect(firstOf([{ value: 2 }, { value: 1 }], 5, compare)).toEqual([{ value: 1 }, { value: 2 }]);
  expect(firstOf([], 5, compare)).toEqual([]);
});
