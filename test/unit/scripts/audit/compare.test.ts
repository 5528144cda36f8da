import { describe, expect, test } from "vitest";
import { Comparison, compareRows, judgeAcrossSnapshots, type Question } from "../../../../scripts/audit/compare.ts";
import { ApiReadError } from "../../../../scripts/audit/api.ts";
import { failuresOf, reportLines } from "../../../../scripts/audit/report.ts";
import { runChecks } from "../../../../scripts/audit/run-checks.ts";
import { compareTrending } from "../../../../scripts/audit/checks/lists.ts";
import { compareAllPositions, comparePositionRow } from "../../../../scripts/audit/checks/positions.ts";
import { comparePrices, sidesOf } from "../../../../scripts/audit/checks/prices.ts";
import { reachesFloor } from "../../../../scripts/audit/decimal.ts";
import { compareTrader } from "../../../../scripts/audit/checks/traders.ts";
import { flowOf } from "../../../../scripts/audit/checks/market-figures.ts";
import { traderFiguresOf } from "../../../../scripts/audit/trader-audit-figures.ts";
import { lateReads, reportEnds } from "../../../../scripts/audit/watch-ends.ts";
import {
  aMarket,
  aLedgerSnapshot,
  anEntry,
  anOutcome,
  anAuditTrader,
  NOW,
} from "../../../support/audit/ledger-snapshot.ts";

const judgeValue = (value: number, moments: readonly number[]) =>
  judgeAcrossSnapshots(
    { fromMs: 0, toMs: 0, judge: (moment) => [new Comparison("one").same("value", moment.atMs, value).item()] },
    moments.map((atMs) => aLedgerSnapshot({ atMs })),
  );

describe("the comparison of a response", () => {
  test("a response is right when it was true at one of its possible moments", () => {
    expect(judgeValue(2, [1, 2, 3])).toEqual([{ id: "one", differences: [], isSteady: true }]);
  });

  test("a response that was never true is wrong, and steadily wrong when it should have been the same throughout", () => {
    expect(judgeValue(4, [1, 2])).toEqual([
      { id: "one", differences: [{ field: "value", expected: 2, got: 4 }], isSteady: false },
    ]);
    expect(judgeValue(4, [1, 1])).toMatchObject([{ isSteady: true }]);
  });

  test("an extra row, a missing row and a repeated row are three differences", () => {
    const items = compareRows(
      new Map([
        ["a", 1],
        ["b", 2],
      ]),
      [{ id: "a" }, { id: "a" }, { id: "c" }],
      ({ id }) => id,
      () => undefined,
    );
    const wrong = items
      .filter(({ differences }) => differences.length > 0)
      .map(({ id, differences: [first] }) => [id, first?.got]);
    expect(wrong).toEqual([
      ["a", "more than once"],
      ["c", "listed"],
      ["b", "not listed"],
    ]);
  });
});

describe("an audit run", () => {
  const world = { between: async () => [aLedgerSnapshot({})] };
  const audit = (respond: () => number, moves = false) => {
    const question: Question = {
      key: "one",
      ask: async () => {
        const got = respond();
        return { fromMs: 0, toMs: 0, judge: () => [new Comparison("one").same("value", moves ? -got : 1, got).item()] };
      },
    };
    const check = { operation: "op", lagSeconds: 0, because: "", questions: async () => [question] };
    const moments = moves ? { between: async () => [aLedgerSnapshot({}), aLedgerSnapshot({ atMs: 0 })] } : world;
    return runChecks([check], moments, { print: () => undefined, delaysMs: [0, 0, 0] });
  };

  test("an audit of a right response reports no difference", async () => {
    const results = await audit(() => 1);
    expect(results).toMatchObject([{ compared: 1, differences: [], unsettled: [] }]);
    expect(failuresOf(results)).toEqual([]);
  });

  test("an audit of a permanently wrong response reports the expected value and fails", async () => {
    const results = await audit(() => 2);
    expect(results).toMatchObject([
      { compared: 1, differences: [{ id: "one", differences: [{ field: "value", expected: 1, got: 2 }] }] },
    ]);
    expect(failuresOf(results)).toHaveLength(1);
    expect(reportLines(results, 1)[0]).toBe("  op one value: expected 1, got 2");
  });

  test("an audit of a response that is right on a retry reports no difference", async () => {
    const answers = [2, 1];
    expect(await audit(() => answers.shift() ?? 1)).toMatchObject([{ differences: [], unsettled: [] }]);
  });

  test("an audit of a response that is refused each time reports the refusal", async () => {
    const results = await audit(() => {
      throw new ApiReadError("503 read_model_warming");
    });
    expect(results).toMatchObject([
      { differences: [{ id: "one", differences: [{ field: "answer", got: "503 read_model_warming" }] }] },
    ]);
  });

  test("an audit reports constantly changing responses as unsettled, and fails above one in a hundred", async () => {
    let responses = 1;
    const question: Question = {
      key: "one",
      ask: async () => ({
        fromMs: 0,
        toMs: 0,
        judge: ({ atMs }) => [new Comparison("one").same("value", atMs, --responses).item()],
      }),
    };
    const moving = { between: async () => [aLedgerSnapshot({ atMs: 7 }), aLedgerSnapshot({ atMs: 8 })] };
    const checks = [{ operation: "op", lagSeconds: 0, because: "", questions: async () => [question] }];
    const results = await runChecks(checks, moving, { print: () => undefined, delaysMs: [0, 0] });
    expect(results).toMatchObject([{ compared: 1, differences: [], unsettled: [{ id: "one" }] }]);
    expect(failuresOf(results)).toHaveLength(1);
    expect(reportLines(results, 1)[0]).toMatch(/^ {2}op unsettled one value: expected 8, got -?\d+$/);
    expect(failuresOf(results.map((result) => ({ ...result, compared: 100 })))).toEqual([]);
  });
});

/** Copies of a response with one leaf changed, one leaf at a time. */
function* mutationsOf(value: any, path: readonly string[] = []): Generator<readonly [path: string, mutant: any]> {
  if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      for (const [name, mutant] of mutationsOf(inner, [...path, key]))
        yield [name, Array.isArray(value) ? value.with(Number(key), mutant) : { ...value, [key]: mutant }];
    }
    return;
  }
  yield [path.join("."), typeof value === "number" ? value + 0.01 : `${value}?`];
}

const market = aMarket({
  outcomes: [anOutcome({ bestBid: "0.50", bestAsk: "0.52" }), anOutcome({ id: 2, index: 1, tokenId: "1002" })],
});
const won = aMarket({
  id: 2,
  conditionId: `0x${"cd".repeat(32)}`,
  payoutsPpm: [1_000_000, 0],
  settledOn: "2026-11-22",
  outcomes: [anOutcome({ id: 3 }), anOutcome({ id: 4, index: 1 })],
});
const entries = [
  anEntry({ shares: 100_000_000n, usd: 40_000_000n, fee: 500_000n, atMs: NOW - 7_200_000 }),
  anEntry({ kind: "sell", shares: 40_000_000n, usd: 24_000_000n, atMs: NOW - 3_600_000 }),
  anEntry({ outcomeId: 3, marketId: 2, usd: 3_000_000n, atMs: NOW - 5_000_000 }),
];
const moment = aLedgerSnapshot({ markets: [market, won], wallets: [anAuditTrader({})], entries });

// Sell 8 + payout 7 - fees 0.50 = 14.50; 60 shares at 0.51 = 30.60 with a cost of 24.
const complete = { completeness: { status: "complete" } };
const TRADER = {
  address: `0x${"7".repeat(40)}`,
  sync_status: "synced",
  synced_at: "2026-11-22T11:59:00.000Z",
  last_active: "2026-11-22T11:00:00.000Z",
  pnl: { realized: 14.5, exact: { realized: { value: "14.500000" } }, unrealized: 6.6, net_total: 21.1 },
  stats: {
    markets_traded: 2,
    win_rate: 100,
    daily_win_rate: 100,
    total_volume: 67,
    exact: { total_volume: { value: "67.000000" } },
  },
  trust: Object.fromEntries(["realized_pnl", "unrealized_pnl", "total_volume"].map((name) => [name, complete])),
};
const POSITION = {
  token_id: "1001",
  shares: 60,
  avg_price: 0.4,
  current_value_usd: 30.6,
  initial_value_usd: 24,
  cash_pnl: 6.6,
  realized_pnl: 7.5,
  exact: {
    shares: { value: "60.000000" },
    current_value_usd: { value: "30.600000" },
    cost_basis_usd: { value: "24.000000" },
    cash_pnl: { value: "6.600000" },
  },
  trader: { pnl: 21.1, markets: 2 },
};

describe("a trader response computed by hand", () => {
  const wrongIn = (data: any) => compareTrader(7, data, moment).flatMap(({ differences }) => differences);
  const withAllTrust = (data: any) => ({
    ...data,
    trust: {
      markets_traded: complete,
      win_rate: complete,
      daily_win_rate: complete,
      net_total_pnl: complete,
      ...data.trust,
    },
  });

  test("the audit accepts a trader response computed by hand", () => {
    expect(wrongIn(withAllTrust(TRADER))).toEqual([]);
  });

  test.each([...mutationsOf(TRADER)])("the audit reports a trader response with another %s", (_, mutant) => {
    expect(wrongIn(withAllTrust(mutant))).not.toEqual([]);
  });

  test.each(["conversion", "combination"])(
    "the audit reports a trader response that is complete despite the gap %s",
    (gap) => {
      const partial = aLedgerSnapshot({ markets: [market, won], wallets: [anAuditTrader({ gaps: [gap] })], entries });
      const data = {
        ...withAllTrust(TRADER),
        data_quality: { field_groups: [{ group: "positions", status: "partial" }] },
      };
      const fields = compareTrader(7, data, partial).flatMap(({ differences }) =>
        differences.map(({ field }) => field),
      );
      expect(fields).toContain("trust.realized_pnl.completeness");
    },
  );

  test("the audit reports a trader response that is complete despite unmatched shares", () => {
    const sold = anEntry({ kind: "sell", shares: 100_000_000n, usd: 1n, atMs: NOW });
    const partial = aLedgerSnapshot({
      markets: [market, won],
      wallets: [anAuditTrader({})],
      entries: [...entries, sold],
    });
    const data = { ...withAllTrust(TRADER), data_quality: { field_groups: [] } };
    const fields = compareTrader(7, data, partial).flatMap(({ differences }) => differences.map(({ field }) => field));
    expect(fields).toContain("trust.realized_pnl.completeness");
  });
});

describe("the all-time profit of a trending trader", () => {
  /** Ten shares for 4 dollars in each of two markets, whose first outcomes have these prices. */
  const pricedAt = (first: string, second: string) =>
    aLedgerSnapshot({
      markets: [first, second].map((price, n) =>
        aMarket({
          id: n + 1,
          conditionId: `0x${String(n).repeat(64)}`,
          outcomes: [anOutcome({ id: n + 1, tokenId: String(n + 1), bestBid: price, bestAsk: price })],
        }),
      ),
      wallets: [anAuditTrader({})],
      entries: [anEntry({}), anEntry({ outcomeId: 2, marketId: 2 })],
    });
  const [before, after] = [pricedAt("0.50", "0.50"), pricedAt("0.60", "0.40")];
  const wrongIn = (pnl: number, valuedAt = [before, after]) =>
    compareTrending("7d", { id: "trd_7", all_time_pnl_usd: pnl, ...complete }, after, valuedAt).flatMap(
      ({ differences }) => differences,
    );

  test("the audit accepts markets that are valued at different moments of the stated time", () => {
    // The first market at the new price and the second at the old one: 6 + 5 less 8.
    for (const pnl of [2, 3, 1]) expect(wrongIn(pnl)).toEqual([]);
  });

  test("the audit reports a profit that no combination of prices gives", () => {
    for (const pnl of [0.99, 3.01])
      expect(wrongIn(pnl)).toEqual([{ field: "all_time_pnl_usd", expected: [1, 3], got: pnl }]);
  });

  test("the audit reports every other profit where no price changed", () => {
    expect(wrongIn(2, [after])).toEqual([]);
    expect(wrongIn(2.01, [after])).toEqual([{ field: "all_time_pnl_usd", expected: 2, got: 2.01 }]);
  });
});

describe("a position computed by hand", () => {
  const [openPosition] = traderFiguresOf(moment, 7).open;
  const wrongIn = (row: any, at = moment, freshness = "fresh") => {
    if (openPosition === undefined) throw new Error("the trader has an open position");
    const open = traderFiguresOf(at, 7).open.find(({ market: { id } }) => id === 1) ?? openPosition;
    const comparison = new Comparison("position");
    comparePositionRow(
      comparison,
      { ...open, traderId: 7, history: "complete", figures: traderFiguresOf(at, 7) },
      { freshness, ...row },
      at,
    );
    return comparison.item().differences;
  };

  test("the audit accepts a position computed by hand", () => {
    expect(wrongIn(POSITION)).toEqual([]);
  });

  test.each([...mutationsOf(POSITION)])("the audit reports a position with another %s", (_, mutant) => {
    expect(wrongIn(mutant)).not.toEqual([]);
  });

  test("the audit reports a position that is fresh after its market's end", () => {
    const ended = aLedgerSnapshot({
      markets: [{ ...market, endMs: NOW - 1 }, won],
      wallets: [anAuditTrader({})],
      entries,
    });
    expect(wrongIn(POSITION, ended).map(({ field }) => field)).toContain("freshness");
    expect(wrongIn(POSITION, ended, "stale").map(({ field }) => field)).not.toContain("freshness");
  });

  test("the audit reports a position reconciled before its market existed", () => {
    const early = new Date((market.createdMs ?? 0) - 1).toISOString();
    expect(wrongIn({ ...POSITION, last_reconciled_at: early }).map(({ field }) => field)).toEqual([
      "last_reconciled_at",
    ]);
  });
});

describe("presented prices of a market", () => {
  const complements = aMarket({
    outcomes: [
      anOutcome({ lastTradePrice: "0.2750008313" }),
      anOutcome({ id: 2, index: 1, lastTradePrice: "0.7249991687" }),
    ],
  });
  const at = aLedgerSnapshot({ markets: [complements] });
  const wrong = (yes: unknown, no: unknown) => {
    const sides = sidesOf(complements, at);
    if (sides === null) throw new Error("the market has two sides");
    const comparison = new Comparison("prices");
    comparePrices(comparison, sides, { yes, no }, null);
    return comparison.item().differences.map(({ field }) => field);
  };

  test.each([
    [0.275, 0.725, []],
    [0.275, 0.7249, ["sum of prices"]],
    [0.276, 0.725, ["yes price", "sum of prices"]],
    [null, 0.725, ["yes price"]],
  ])("the prices %d and %d of a market have the differences %j", (yes, no, fields) => {
    expect(wrong(yes, no)).toEqual(fields);
  });
});

describe("floors and flows", () => {
  test("5,000 dollars minus up to half a cent reach the floor of 5,000 dollars, lower amounts do not", () => {
    const reaching = [5_000_000_000n, 4_999_999_999n, 4_999_995_000n, 4_999_994_999n].map((usd) =>
      reachesFloor(usd, 5_000),
    );
    expect(reaching).toEqual([true, true, true, false]);
  });

  // 105.82 shares at 0.945 are 99.9999 dollars, which are 100 dollars in cents; at 0.9449 they are 99.99.
  test.each([
    ["0.945", 99_999_900n, 1],
    ["0.9449", 99_989_318n, 0],
  ])("a position of 105.82 shares at %s is listed from 100 dollars on: %s millionths, %i row", (price, usd, listed) => {
    const at = aLedgerSnapshot({
      markets: [aMarket({})],
      wallets: [anAuditTrader({})],
      entries: [anEntry({ shares: 105_820_000n, usd, price })],
    });
    expect(compareAllPositions([], at)).toHaveLength(listed);
  });

  test("buys of YES and sells of NO add to a flow, the others subtract", () => {
    const trade = { id: 1, traderId: 7, marketId: 1, shares: 1n, price: "0.5", atMs: NOW };
    const flow = flowOf(
      [
        { ...trade, outcomeId: 1, side: "BUY", size: 10n },
        { ...trade, outcomeId: 2, side: "SELL", size: 5n },
        { ...trade, outcomeId: 2, side: "BUY", size: 100n },
        { ...trade, outcomeId: 1, side: "SELL", size: 1n },
      ],
      market,
    );
    expect(flow).toEqual({ net: -86n, buys: 110n, sells: 6n, count: 4 });
  });
});

describe("the delay until reads show a result", () => {
  const end = (resultAfter: number | null) => ({
    ...{ conditionId: "0x1", endedAt: "2026-11-22T12:00:00Z", providerShownAt: "2026-11-22T12:00:20Z" },
    reads: { positions: { resultAfter, activeAfterEnd: 3, freshAfterEnd: 12 } },
  });

  test("result delays are reported as quantiles, and count as late from 30 seconds on", () => {
    const ends = [...Array.from({ length: 99 }, () => end(2)), end(31), end(null)];
    expect(reportEnds(ends)[1]).toMatch(
      /^positions +100 shown, 1 not +p50 p95 p99 max 2\.0 2\.0 2\.0 31\.0 s .* active up to 3 s, fresh up to 12 s$/,
    );
    expect([lateReads(ends), lateReads([...ends, end(40)])]).toEqual([[], ["positions"]]);
  });
});
