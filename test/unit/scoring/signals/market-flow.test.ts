import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { marketFlows, type FlowTrade } from "../../../../src/scoring/signals/market-flow.ts";
import { directionOf } from "../../../../src/scoring/signals/trade-direction.ts";

const HOUR_MS = 3_600_000;
const NOW_MS = 1_000 * HOUR_MS;
const EVERYBODY = { asOfMs: NOW_MS, windowMs: HOUR_MS, grades: null };
const SHARP = { ...EVERYBODY, grades: ["S", "A", "B"] };

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
] as const)("%s of outcome %j backs %j", (side, outcomeIndex, direction) => {
  expect(directionOf({ side, outcomeIndex })).toBe(direction);
});

describe("the flow of a market", () => {
  test("adds what backs YES, subtracts what backs NO, and keeps purchases and sales gross", () => {
    const trades = [
      trade({ sizeUsdMicro: 50n }),
      trade({ side: "SELL", outcomeIndex: 1, sizeUsdMicro: 7n, wallet: "0x2" }),
      trade({ side: "BUY", outcomeIndex: 1, sizeUsdMicro: 100n }),
      trade({ side: "SELL", outcomeIndex: 0, sizeUsdMicro: 1n, wallet: "0x3" }),
    ];
    expect(marketFlows(trades, EVERYBODY)).toEqual([
      {
        conditionId: "0xa",
        netMicro: -44n,
        direction: "NO",
        buyMicro: 150n,
        sellMicro: 8n,
        grossMicro: 158n,
        tradeCount: 4,
        walletCount: 3,
      },
    ]);
  });

  test("says YES at a net of nothing", () => {
    const [flow] = marketFlows([trade(), trade({ outcomeIndex: 1 })], EVERYBODY);
    expect(flow).toMatchObject({ netMicro: 0n, direction: "YES", grossMicro: 20_000_000n });
  });

  test("holds the window's end and not its start", () => {
    const counts = [NOW_MS, NOW_MS - HOUR_MS + 1, NOW_MS - HOUR_MS, NOW_MS + 1].map(
      (tradedAtMs) => marketFlows([trade({ tradedAtMs })], EVERYBODY).length,
    );
    expect(counts).toEqual([1, 1, 0, 0]);
  });

  test("lets the named grades through and never an ungraded wallet", () => {
    const grades = ["S", "B", "C", null].map((grade) => marketFlows([trade({ grade })], SHARP).length);
    expect(grades).toEqual([1, 1, 0, 0]);
    expect(marketFlows([trade({ grade: null })], EVERYBODY)).toHaveLength(1);
  });

  test("leaves out trades that back neither side", () => {
    expect(marketFlows([trade({ outcomeIndex: null })], EVERYBODY)).toEqual([]);
  });

  test("is listed by its size either way, then by market", () => {
    const trades = [
      trade({ conditionId: "0xc", sizeUsdMicro: 5n }),
      trade({ conditionId: "0xb", sizeUsdMicro: 9n, outcomeIndex: 1 }),
      trade({ conditionId: "0xa", sizeUsdMicro: 5n, outcomeIndex: 1 }),
    ];
    expect(marketFlows(trades, EVERYBODY).map((flow) => flow.conditionId)).toEqual(["0xb", "0xa", "0xc"]);
  });

  test("is the same for any order of trades, never above its gross, and turns when all sides turn", () => {
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
        const flows = marketFlows(any, EVERYBODY);
        expect(marketFlows([...any].reverse(), EVERYBODY)).toEqual(flows);
        for (const flow of flows) {
          expect(flow.netMicro <= flow.grossMicro && -flow.netMicro <= flow.grossMicro).toBe(true);
          expect(flow.buyMicro + flow.sellMicro).toBe(flow.grossMicro);
        }
        const turned = any.map((one) => ({ ...one, side: one.side === "BUY" ? ("SELL" as const) : ("BUY" as const) }));
        expect(marketFlows(turned, EVERYBODY).map((flow) => flow.netMicro)).toEqual(flows.map((flow) => -flow.netMicro));
      }),
    );
  });
});
