import fc from "fast-check";
import { expect, test } from "vitest";
import { presentPrice, presentSecondPrice } from "../../../../src/domain/markets/present-price.ts";

test.each([
  ["0.27555", 0.2755],
  ["0.1234999999", 0.1234],
  ["0.29", 0.29],
  ["1.00000000000000000000", 1],
  ["0", 0],
])("the price %s is presented as %d", (price, shown) => {
  expect(presentPrice(price)).toBe(shown);
});

test.each<[string, string | null, number, string]>([
  ["0.72445", "0.27555", 0.7245, "both add up to a dollar"],
  ["0.72449", "0.27555", 0.7244, "both add up to more than a dollar"],
  ["0.7249991687", "0.2750008313", 0.725, "a quotient and its complement add up to a dollar"],
  ["0.33333300000000000000", "0.66666700000000000000", 0.3334, "payouts add up to a dollar"],
  ["0.4", null, 0.4, "the first price is unknown"],
  ["0", "1", 0, "one outcome has the full dollar"],
])("the second price %s beside the first price %s is presented as %d: %s", (second, first, shown) => {
  expect(presentSecondPrice(second, first)).toBe(shown);
});

test("two prices that add up to a dollar are presented as one dollar, each within a hundredth of a cent", () => {
  const millionths = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(millionths, (first) => {
      const [yes, no] = [first, 1_000_000 - first].map((ppm) => (ppm / 1e6).toFixed(6)) as [string, string];
      const shown = [presentPrice(yes), presentSecondPrice(no, yes)] as const;
      expect(Math.round((shown[0] + shown[1]) * 10_000)).toBe(10_000);
      expect(Math.abs(shown[1] - Number(no))).toBeLessThan(0.0001 + 1e-9);
    }),
  );
});

test("an unknown price is presented as null", () => {
  expect(presentPrice(null)).toBeNull();
  expect(presentSecondPrice(null, "0.5")).toBeNull();
});
