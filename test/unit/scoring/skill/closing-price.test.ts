import fc from "fast-check";
import { expect, test } from "vitest";
import { closingPriceFor, type ClosingTrade } from "../../../../src/scoring/skill/closing-price.ts";

/** Newest first: trader and price, each in a transaction of its own. */
const alone = (...trades: readonly (readonly [trader: number, price: number])[]): ClosingTrade<string>[] =>
  trades.map(([trader, price], index) => ({ transaction: `alone ${index}`, trader, price }));

test("the closing price is the median of the last prices of the last ten others", () => {
  expect(closingPriceFor(alone([1, 0.5], [2, 0.6], [3, 0.7]), 9)).toBe(0.6);
  expect(closingPriceFor(alone([1, 0.5], [2, 0.6], [3, 0.7], [4, 0.8]), 9)).toBe(0.65);
  // The eleventh does not count, nor do earlier trades of the ten.
  const eleven = Array.from({ length: 11 }, (_, trader) => [trader, trader < 5 ? 0.4 : 0.6] as const);
  expect(closingPriceFor(alone(...eleven), 99)).toBe(0.5);
  expect(closingPriceFor(alone([1, 0.5], [1, 0.1], [2, 0.6], [1, 0.1], [3, 0.7], [1, 0.1]), 9)).toBe(0.6);
});

test("there is no closing price with fewer than three others", () => {
  expect(closingPriceFor(alone([1, 0.5], [2, 0.6]), 9)).toBeNull();
  expect(closingPriceFor(alone([1, 0.5], [1, 0.5], [2, 0.6], [2, 0.6]), 9)).toBeNull();
  expect(closingPriceFor(alone([1, 0.5], [2, 0.6], [9, 0.7]), 9)).toBeNull();
  expect(closingPriceFor([], 9)).toBeNull();
});

test("a trader that buys from twenty others at the close does not move its own close, but that of others", () => {
  const pushed = Array.from({ length: 20 }, (_, index) => [
    { transaction: `push ${index}`, trader: 9, price: 0.9 },
    { transaction: `push ${index}`, trader: 100 + index, price: 0.9 },
  ]).flat();
  const trades = [...pushed, ...alone([1, 0.5], [2, 0.5], [3, 0.5])];
  expect(closingPriceFor(trades, 9)).toBe(0.5);
  expect(closingPriceFor(trades, 50)).toBe(0.9);
});

// The definition again, from sets: for each other trader its newest trade outside the trader's own transactions.
test("the closing price follows its definition for any trades", () => {
  const anyTrade = fc.record({
    transaction: fc.constantFrom("a", "b", "c", "d", "e", "f", "g"),
    trader: fc.integer({ min: 0, max: 14 }),
    price: fc.integer({ min: 0, max: 1000 }).map((mills) => mills / 1000),
  });
  fc.assert(
    fc.property(fc.array(anyTrade, { maxLength: 40 }), (trades) => {
      const withOther = trades.filter(
        ({ transaction }) => !trades.some((one) => one.trader === 0 && one.transaction === transaction),
      );
      const newest = withOther.filter(
        ({ trader }, index) => withOther.findIndex((one) => one.trader === trader) === index,
      );
      const mills = newest.slice(0, 10).map(({ price }) => Math.round(price * 1000));
      const below = (value: number) => mills.filter((one) => one < value).length;
      const above = (value: number) => mills.filter((one) => one > value).length;
      const middle = [...new Set(mills)].filter(
        (value) => below(value) <= mills.length / 2 && above(value) <= mills.length / 2,
      );
      const expected = mills.length < 3 ? null : (Math.min(...middle) + Math.max(...middle)) / 2000;
      expect(closingPriceFor(trades, 0)).toBe(expected);
    }),
  );
});
