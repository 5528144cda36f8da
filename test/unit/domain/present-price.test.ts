import fc from "fast-check";
import { expect, test } from "vitest";
import { presentPrice, presentSecondPrice } from "../../../src/domain/present-price.ts";

test.each([
  ["0.27555", 0.2755],
  ["0.1234999999", 0.1234],
  ["0.29", 0.29],
  ["1.00000000000000000000", 1],
  ["0", 0],
])("%s is shown as %d", (price, shown) => {
  expect(presentPrice(price)).toBe(shown);
});

test.each<[string, string | null, number, string]>([
  ["0.72445", "0.27555", 0.7245, "they are a dollar together"],
  ["0.72449", "0.27555", 0.7244, "they are less than a dollar and a few hundredths of a cent"],
  ["0.7249991687", "0.2750008313", 0.725, "a quotient and what it leaves are a dollar"],
  ["0.33333300000000000000", "0.66666700000000000000", 0.3334, "payouts are"],
  ["0.4", null, 0.4, "the other one is not known"],
  ["0", "1", 0, "one has all"],
])("%s beside %s is shown as %d: %s", (second, first, shown) => {
  expect(presentSecondPrice(second, first)).toBe(shown);
});

test("two prices that are exactly a dollar are one as shown, and each is within a hundredth of a cent of itself", () => {
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

test("what is unknown stays unknown", () => {
  expect(presentPrice(null)).toBeNull();
  expect(presentSecondPrice(null, "0.5")).toBeNull();
});
