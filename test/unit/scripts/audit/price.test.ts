import { describe, expect, test } from "vitest";
import { parsePrice, tradedPrice } from "../../../../scripts/audit/decimal.ts";
import { isOver, isShownAs, priceOf } from "../../../../scripts/audit/price.ts";
import { aMarket, anOutcome, NOW } from "../../../support/audit/ledger-snapshot.ts";
import { MINUTE_MS } from "../../../../src/scoring/utc-calendar.ts";

const FILL = { price: "0.02", atMs: NOW - 10 * MINUTE_MS };
const quoted = (bestBid: string | null, bestAsk: string | null) =>
  anOutcome({ bestBid, bestAsk, bookSource: "clob_book", bookMs: NOW - MINUTE_MS });
const ended = { endMs: NOW - 5 * MINUTE_MS };

const price = (
  market: Parameters<typeof aMarket>[0],
  outcome: ReturnType<typeof anOutcome>,
  fill: typeof FILL | null = FILL,
) => {
  const found = priceOf(aMarket({ ...market, outcomes: [outcome] }), outcome, fill, NOW);
  return found === null ? null : [found.basis, Number(found.value) / 1e18];
};

describe("the audit's price of an outcome", () => {
  test.each([
    ["midpoint", 0.25, quoted("0.20", "0.30")],
    ["last_trade", 0.02, quoted("0.20", "0.3001")],
    ["last_trade", 0.02, quoted("0.30", "0.20")],
    ["last_trade", 0.02, quoted("0.20", null)],
    ["last_trade", 0.02, quoted(null, null)],
  ])("the audit's price in an open market is the %s %d (row %#)", (basis, value, outcome) => {
    expect(price({}, outcome)).toEqual([basis, value]);
  });

  test("the audit's price in a resolved market is the payout, whatever its quotes and trades", () => {
    expect(price({ payoutsPpm: [0, 1_000_000] }, quoted("0.20", "0.30"))).toEqual(["payout", 0]);
    expect(price({ payoutsPpm: [500_000, 500_000] }, quoted(null, null), null)).toEqual(["payout", 0.5]);
  });

  test("the audit's price in a closed market is the last trade", () => {
    expect(price({ closed: true }, quoted("0.20", "0.30"))).toEqual(["last_trade", 0.02]);
  });

  test.each([
    ["clob_book", -5, "midpoint"],
    ["clob_book", -6, "last_trade"],
    ["gamma_market", 0, "midpoint"],
    ["gamma_market", -1, "last_trade"],
  ] as const)(
    "the audit's price five minutes after a market's end, with a %s read at minute %d, is the %s",
    (bookSource, minute, basis) => {
      const outcome = anOutcome({ bestBid: "0.20", bestAsk: "0.30", bookSource, bookMs: NOW + minute * MINUTE_MS });
      const market = aMarket({ ...ended, outcomes: [outcome] });
      expect(price(ended, outcome)?.[0]).toBe(basis);
      expect(isOver(market, NOW)).toBe(basis === "last_trade");
    },
  );

  test("the audit's price is the provider's last trade only if that is newer than our newest fill", () => {
    const lastTradeAt = (lastTradeMs: number | null) => anOutcome({ lastTradePrice: "0.9", lastTradeMs });
    expect(price({}, lastTradeAt(FILL.atMs + 1000))).toEqual(["last_trade", 0.9]);
    expect(price({}, lastTradeAt(FILL.atMs))).toEqual(["last_trade", 0.02]);
    expect(price({}, lastTradeAt(null))).toEqual(["last_trade", 0.02]);
    expect(price({}, lastTradeAt(null), null)).toEqual(["last_trade", 0.9]);
    expect(price({}, anOutcome({}), null)).toBeNull();
  });
});

describe("a presented price", () => {
  test("the audit accepts a price truncated to four decimals, or a complement of the other price", () => {
    const exact = parsePrice("0.7249991687");
    expect([isShownAs(0.7249, exact, false), isShownAs(0.725, exact, false)]).toEqual([true, false]);
    expect([isShownAs(0.7249, exact, true), isShownAs(0.725, exact, true), isShownAs(0.7251, exact, true)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([
      isShownAs(0.7, parsePrice("0.7"), true),
      isShownAs(0.7001, parsePrice("0.7"), true),
      isShownAs(null, exact, true),
    ]).toEqual([true, false, false]);
  });
});

test("the audit's trade price is the book's tick behind truncated dollars, and has six decimals otherwise", () => {
  // 100.333333 shares at 0.94 are 94.31333302 dollars, truncated to the millionth.
  expect(tradedPrice(94_313_333n, 100_333_333n)).toBe(parsePrice("0.94"));
  // A provider's row at 0.9399999997: 605,889.71 shares for 569,536.327218 dollars.
  expect(tradedPrice(569_536_327_218n, 605_889_710_000n)).toBe(parsePrice("0.94"));
  // 3 dollars for 7 shares: 0.428571428...
  expect(tradedPrice(3_000_000n, 7_000_000n)).toBe(parsePrice("0.428571"));
});
