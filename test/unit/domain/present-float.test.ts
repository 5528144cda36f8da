import fc from "fast-check";
import { expect, test } from "vitest";
import { presentFloat } from "../../../src/domain/present-float.ts";

test.each([
  [0.29, 2, 0.29],
  [2 / 3, 4, 0.6666],
  [-2 / 3, 4, -0.6666],
  [99.999, 2, 99.99],
  [1000, 4, 1000],
  [1.5e-7, 4, 0],
  [123_456_789.987_654, 4, 123_456_789.9876],
])("the number %d truncated to %i decimals is %d", (value, decimals, shown) => {
  expect(presentFloat(value, decimals)).toBe(shown);
});

test("a small loss is presented as 0, not negative zero, and null stays null", () => {
  expect(Object.is(presentFloat(-0.00001, 4), 0)).toBe(true);
  expect(presentFloat(null, 4)).toBeNull();
});

test("a presented number is never further from zero than the value and less than one step closer", () => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
      const shown = presentFloat(value, 4);
      expect(Math.abs(shown)).toBeLessThanOrEqual(Math.abs(value) + 1e-9);
      expect(Math.abs(value - shown)).toBeLessThan(1e-4 + 1e-9);
    }),
  );
});
