import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { marketFlows, type FlowTrade } from "../../../support/oracles/market-flow.ts";
import { directionOf } from "../../../../src/scoring/signals/trade-direction.ts";
import { HOUR_MS } from "../../../../src/scoring/utc-calendar.ts";

const NOW_MS = 1_000 * HOUR_MS;
const ALL_TRADERS = { asOfMs: NOW_MS, windowMs: HOUR_MS, grades: null };
const SHARP = { ...ALL_TRADERS, grades: ["S", "A", "B"] };

const trade = (change: Partial<FlowTrade> = {}): FlowTrade => ({
  conditionId: "0xa",
  wallet: "0x1",
  grade: "A",
  side: "BUY",
  outcomeIndex: 0,
  sizeUsdMicro: 10_000_000n,
  tradedAtMs: NOW_MS,
  ...change,
});

test.each([
  ["BUY", 0, "YES"],
  ["SELL", 1, "YES"],
  ["BUY", 1, "NO"],
  ["SELL", 0, "NO"],
  ["BUY", 2, null],
  ["SELL", null, null],
] as const)("a %s of outcome %j backs %j", (side, outcomeIndex, direction) => {
  expect(directionOf({ side, outcomeIndex })).toBe(direction);
});

describe("the flow of a market", () => {
  test("a market's flow adds trades for YES, subtracts trades for NO, and keeps buys and sells gross", () => {
    const trades = [
      trade({ sizeUsdMicro: 50n }),
      trade({ side: "SELL", outcomeIndex: 1, sizeUsdMicro: 7n, wallet: "0x2" }),
      trade({ side: "BUY", outcomeIndex: 1, sizeUsdMicro: 100n }),
      trade({ side: "SELL", outcomeIndex: 0, sizeUsdMicro: 1n, wallet: "0x3" }),
    ];
    expect(marketFlows(trades, ALL_TRADERS)).toEqual([
      {
        conditionId: "0xa",
        netMicro: -44n,
        direction: "NO",
        buyMicro: 150n,
        sellMicro: 8n,
        grossMicro: 158n,
        tradeCount: 4,
        traderCount: 3,
      },
    ]);
  });

  test("a market's flow has the direction YES at a net of zero", () => {
    const [flow] = marketFlows([trade(), trade({ outcomeIndex: 1 })], ALL_TRADERS);
    expect(flow).toMatchObject({ netMicro: 0n, direction: "YES", grossMicro: 20_000_000n });
  });

  test("a flow window includes its end and excludes its start", () => {
    const counts = [NOW_MS, NOW_MS - HOUR_MS + 1, NOW_MS - HOUR_MS, NOW_MS + 1].map(
      (tradedAtMs) => marketFlows([trade({ tradedAtMs })], ALL_TRADERS).length,
    );
    expect(counts).toEqual([1, 1, 0, 0]);
  });

  test("a market's flow only counts the named grades and never an ungraded trader", () => {
    const grades = ["S", "B", "C", null].map((grade) => marketFlows([trade({ grade })], SHARP).length);
    expect(grades).toEqual([1, 1, 0, 0]);
    expect(marketFlows([trade({ grade: null })], ALL_TRADERS)).toHaveLength(1);
  });

  test("a market's flow leaves out trades that back neither side", () => {
    expect(marketFlows([trade({ outcomeIndex: null })], ALL_TRADERS)).toEqual([]);
  });

  test("market flows are sorted by absolute size, then by market", () => {
    const trades = [
      trade({ conditionId: "0xc", sizeUsdMicro: 5n }),
      trade({ conditionId: "0xb", sizeUsdMicro: 9n, outcomeIndex: 1 }),
      trade({ conditionId: "0xa", sizeUsdMicro: 5n, outcomeIndex: 1 }),
    ];
    expect(marketFlows(trades, ALL_TRADERS).map((flow) => flow.conditionId)).toEqual(["0xb", "0xa", "0xc"]);
  });

  test("a market's flow is the same for any order of trades, never above its gross, and changes sign with all sides", () => {
    const trades = fc.array(
      fc.record({
        conditionId: fc.constantFrom("0xa", "0xb"),
        wallet: fc.constantFrom("0x1", "0x2"),
        grade: fc.constantFrom("S", "C", null),
        side: fc.constantFrom("BUY" as const, "SELL" as const),
        outcomeIndex: fc.constantFrom(0, 1, null),
        sizeUsdMicro: fc.bigInt(0n, 2n ** 63n - 1n),
        tradedAtMs: fc.integer({ min: NOW_MS - 2 * HOUR_MS, max: NOW_MS + 1 }),
      }),
    );
    fc.assert(
      fc.property(trades, (any) => {
        const flows = marketFlows(any, ALL_TRADERS);
        expect(marketFlows([...any].reverse(), ALL_TRADERS)).toEqual(flows);
        for (const flow of flows) {
          expect(flow.netMicro <= flow.grossMicro && -flow.netMicro <= flow.grossMicro).toBe(true);
          expect(flow.buyMicro + flow.sellMicro).toBe(flow.grossMicro);
        }
        const swapped = any.map((one) => ({ ...one, side: one.side === "BUY" ? ("SELL" as const) : ("BUY" as const) }));
        expect(marketFlows(swapped, ALL_TRADERS).map((flow) => flow.netMicro)).toEqual(
          flows.map((flow) => -flow.netMicro),
        );
      }),
    );
  });
});
