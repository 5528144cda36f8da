import { describe, expect, test } from "vitest";
import {
  cents,
  divideHalfAway,
  exactText,
  parsePrice,
  shownPrice,
  valueAt,
} from "../../../../scripts/audit/decimal.ts";
import { foldPosition, settledResult } from "../../../../scripts/audit/fold.ts";
import { traderFiguresOf, historyOf } from "../../../../scripts/audit/trader-audit-figures.ts";
import {
  aMarket,
  aLedgerSnapshot,
  anEntry,
  anOutcome,
  anAuditTrader,
  NOW,
} from "../../../support/audit/ledger-snapshot.ts";
import { HOUR_MS } from "../../../../src/scoring/utc-calendar.ts";

describe("the audit's decimals", () => {
  test.each([
    [5n, 10n, 1n],
    [-5n, 10n, -1n],
    [4n, 10n, 0n],
    [-4n, 10n, 0n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
  ])("the audit rounds %d / %d half away from zero to %d", (numerator, denominator, rounded) => {
    expect(divideHalfAway(numerator, denominator)).toBe(rounded);
  });

  test("the audit truncates money, prices and exact texts toward zero without negative zero", () => {
    expect([cents(19_999n), cents(-19_999n), Object.is(cents(-9_999n), 0)]).toEqual([0.01, -0.01, true]);
    expect([shownPrice(parsePrice("0.7249991687")), shownPrice(parsePrice("1"))]).toEqual([0.7249, 1]);
    expect([exactText(-12_340_000n), exactText(5n)]).toEqual(["-12.340000", "0.000005"]);
  });

  test("the audit truncates a price to the millionth and rounds the product once", () => {
    expect(valueAt(65_111_230_000n, parsePrice("0.7249991687"))).toBe(47_205_576_639n);
    expect(valueAt(1n, parsePrice("0.5"))).toBe(1n);
  });
});

describe("the audit's fold", () => {
  test("a sell removes its part of the cost, and fees are kept separately", () => {
    const holding = foldPosition([
      anEntry({ shares: 100_000_000n, usd: 40_000_000n, fee: 500_000n, atMs: NOW - 2 * HOUR_MS }),
      anEntry({ kind: "sell", shares: 40_000_000n, usd: 24_000_000n }),
    ]);
    expect(holding).toMatchObject({
      shares: 60_000_000n,
      cost: 24_000_000n,
      realized: 8_000_000n,
      fees: 500_000n,
      volume: 64_000_000n,
      unmatched: 0n,
    });
  });

  test("the removed cost of three sells of a dollar's shares is rounded each time and adds up to the dollar", () => {
    const bought = anEntry({ shares: 3_000_000n, usd: 1_000_000n, atMs: NOW - 4 * HOUR_MS });
    const sale = (hours: number) => anEntry({ kind: "sell", shares: 1_000_000n, usd: 0n, atMs: NOW - hours * HOUR_MS });
    const realized = (sales: number) => foldPosition([bought, ...[3, 2, 1].slice(0, sales).map(sale)]).realized;
    expect([realized(1), realized(2), realized(3)]).toEqual([-333_333n, -666_667n, -1_000_000n]);
  });

  test("unmatched shares make no profit, and a sell counts in proportion for the others", () => {
    const holding = foldPosition([
      anEntry({ shares: 4_000_000n, usd: 1_000_000n, atMs: NOW - 2 * HOUR_MS }),
      anEntry({ kind: "sell", shares: 10_000_000n, usd: 5_000_000n }),
    ]);
    expect(holding).toMatchObject({
      shares: 0n,
      cost: 0n,
      realized: 1_000_000n,
      unmatched: 6_000_000n,
      volume: 6_000_000n,
    });
  });

  test("entries that add shares come first within one second, independent of their recording order", () => {
    const sale = anEntry({ kind: "sell", shares: 5_000_000n, usd: 3_000_000n });
    const split = anEntry({ kind: "split", shares: 5_000_000n, usd: 2_500_000n });
    expect(foldPosition([sale, split])).toMatchObject({
      shares: 0n,
      realized: 500_000n,
      unmatched: 0n,
      volume: 3_000_000n,
    });
    expect(foldPosition([split, sale])).toEqual(foldPosition([sale, split]));
  });

  test.each([
    [1_000_000, 7_000_000n],
    [0, -3_000_000n],
    [500_000, 2_000_000n],
  ])("ten shares with a cost of 3 dollars that pay %d millionths each have the result %d", (ppm, result) => {
    expect(settledResult({ shares: 10_000_000n, cost: 3_000_000n }, ppm)).toBe(result);
  });
});

describe("the audit's numbers of a trader", () => {
  const open = aMarket({ outcomes: [anOutcome({ bestBid: "0.50", bestAsk: "0.52" }), anOutcome({ id: 2, index: 1 })] });
  const won = aMarket({
    id: 2,
    conditionId: `0x${"cd".repeat(32)}`,
    payoutsPpm: [1_000_000, 0],
    settledOn: "2026-11-22",
    outcomes: [anOutcome({ id: 3 }), anOutcome({ id: 4, index: 1 })],
  });
  const entries = [
    anEntry({ shares: 100_000_000n, usd: 40_000_000n, fee: 500_000n, atMs: Date.parse("2026-11-20T10:00:00Z") }),
    anEntry({ kind: "sell", shares: 40_000_000n, usd: 24_000_000n, atMs: Date.parse("2026-11-20T11:00:00Z") }),
    anEntry({ outcomeId: 3, marketId: 2, usd: 3_000_000n, atMs: Date.parse("2026-11-21T10:00:00Z") }),
  ];
  const rebates = [{ traderId: 7, usd: 250_000n, atMs: Date.parse("2026-11-20T12:00:00Z") }];
  const moment = aLedgerSnapshot({ markets: [open, won], wallets: [anAuditTrader({})], entries, rebates });

  test("the audit's numbers of a trader match those computed by hand", () => {
    // A sell makes 8, a payout 7, minus fees of 0.50, plus rebates of 0.25; 60 shares at 0.51 have a cost of
    // 24.
    const figures = traderFiguresOf(moment, 7);
    expect(figures).toMatchObject({
      realized: 14_750_000n,
      volume: 67_000_000n,
      unrealized: 6_600_000n,
      openCost: 24_000_000n,
    });
    expect(figures).toMatchObject({ traded: 2, resolved: 1, won: 1, decided: 1, unmatched: 0n });
    expect(figures.days.map(([day, { pnl, volume }]) => [day, pnl, volume])).toEqual([
      ["2026-11-20", 7_750_000n, 64_000_000n],
      ["2026-11-21", 0n, 3_000_000n],
      ["2026-11-22", 7_000_000n, 0n],
    ]);
    expect(historyOf(moment, 7, figures)).toBe("complete");
  });

  test("the audit has no unrealized profit while a position has no price", () => {
    const silent = aMarket({ outcomes: [anOutcome({ id: 9 }), anOutcome({ id: 2, index: 1 })] });
    const split = anEntry({ kind: "split", outcomeId: 9, usd: 5_000_000n });
    expect(
      traderFiguresOf(aLedgerSnapshot({ markets: [silent], wallets: [anAuditTrader({})], entries: [split] }), 7)
        .unrealized,
    ).toBeNull();
  });

  test.each([
    ["complete", {}, []],
    ["untracked", { followed: false, completeAt: null }, []],
    ["pending", { completeAt: null }, []],
    ["gaps", { gaps: ["conversion"] }, []],
    ["partial", { gaps: ["combination"] }, []],
    ["partial", {}, [anEntry({ kind: "sell", shares: 200_000_000n, usd: 1n })]],
  ] as const)("the audit reports a %s history for %j", (history, wallet, more) => {
    const partial = aLedgerSnapshot({
      markets: [open, won],
      wallets: [anAuditTrader(wallet)],
      entries: [...entries, ...more],
    });
    expect(historyOf(partial, 7, traderFiguresOf(partial, 7))).toBe(history);
  });

  test("the audit counts a combination's trades in volume, but not its results in profit", () => {
    const combination = aMarket({
      isUnknownCombo: true,
      conditionId: `0x03${"ef".repeat(30)}`,
      payoutsPpm: [1_000_000, 0],
      settledOn: "2026-11-22",
    });
    const traded = [
      anEntry({ fee: 100_000n }),
      anEntry({ kind: "sell", shares: 5_000_000n, usd: 4_000_000n, atMs: NOW }),
    ];
    const figures = traderFiguresOf(
      aLedgerSnapshot({ markets: [combination], wallets: [anAuditTrader({})], entries: traded }),
      7,
    );
    expect(figures).toMatchObject({
      volume: 8_000_000n,
      combinationVolume: 8_000_000n,
      realized: 0n,
      traded: 1,
      resolved: 0,
      decided: 0,
    });
  });
});
