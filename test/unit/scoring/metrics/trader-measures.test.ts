import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concentration } from "../../../../src/scoring/metrics/concentration.ts";
import { dailyReturns } from "../../../../src/scoring/metrics/series/daily-returns.ts";
import { toDailySeries } from "../../../../src/scoring/metrics/series/daily-series.ts";
import { edgeConsistency } from "../../../../src/scoring/metrics/edge-consistency.ts";
import { equitySmoothness } from "../../../../src/scoring/metrics/series/equity-smoothness.ts";
import { kellyEstimate } from "../../../../src/scoring/metrics/kelly.ts";
import { profitFactor } from "../../../../src/scoring/metrics/series/profit-factor.ts";
import { isEdgeInconsistent } from "../../../../src/scoring/metrics/record-halves.ts";
import { sharpeRatio } from "../../../../src/scoring/metrics/series/sharpe-ratio.ts";
import { measureTrader } from "../../../../src/scoring/metrics/trader-measures.ts";
import { anyDays, anySettled, daysOf, isPlain, numbersIn, settledMarket, usd } from "./trader-days.ts";

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

describe("daily returns", () => {
  test("a daily return is the day's result over its capital, and quiet days count as 0 from the first recorded day on", () => {
    const [first, , third] = daysOf([2, 0, -1]);
    const series = toDailySeries([first, third].filter((day) => day !== undefined));
    expect(dailyReturns(series, "2026-01-05", 30)).toEqual({ returns: [0.02, 0, -0.01, 0, 0], realizedDays: 2 });
  });

  test("the daily returns of a window begin with the window", () => {
    expect(dailyReturns(toDailySeries(daysOf([1, 2, 3])), "2026-01-03", 2).returns).toEqual([0.02, 0.03]);
  });

  test("a result without known capital has no return and does not count as 0", () => {
    expect(dailyReturns(toDailySeries(daysOf([1], null)), "2026-01-01", 30)).toEqual({ returns: [], realizedDays: 0 });
    expect(dailyReturns(toDailySeries(daysOf([1], 0)), "2026-01-01", 30)).toEqual({ returns: [], realizedDays: 0 });
  });

  test("there are no daily returns before the first recorded day", () => {
    expect(dailyReturns(toDailySeries(daysOf([1])), "2025-12-31", 30).returns).toEqual([]);
  });
});

describe("the Sharpe ratio", () => {
  // Mean 0.01, deviations ±0.02: variance 4 * 0.0004 / 3, deviation 0.0230940; 0.0100 / 0.0230940 * sqrt(365)
  // = 8.27270.
  test("the Sharpe ratio is mean over sample deviation, annualised for 365 days", () => {
    expect(sharpeRatio({ returns: [0.03, -0.01, 0.03, -0.01], realizedDays: 4 }, 4)).toBeCloseTo(8.2727, 4);
  });

  test("the Sharpe ratio is unknown with too few realized days or without variation", () => {
    expect(sharpeRatio({ returns: [0.03, -0.01, 0], realizedDays: 2 }, 3)).toBeNull();
    expect(sharpeRatio({ returns: [0.1, 0.3 - 0.2, 0.1], realizedDays: 3 }, 3)).toBeNull();
    expect(sharpeRatio({ returns: [0.1], realizedDays: 1 }, 1)).toBeNull();
  });

  test("the Sharpe ratio does not depend on the scale of returns and changes sign with them", () => {
    const cents = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 4, maxLength: 30 });
    fc.assert(
      fc.property(cents, (any) => {
        const ratio = sharpeRatio({ returns: any.map((cent) => cent / 100), realizedDays: any.length }, 4);
        const larger = sharpeRatio({ returns: any.map((cent) => cent / -10), realizedDays: any.length }, 4);
        expect(larger === null).toBe(ratio === null);
        expect(larger ?? 0).toBeCloseTo(-(ratio ?? 0), 8);
      }),
    );
  });
});

describe("the profit factor", () => {
  const results = (...pnl: number[]) => pnl.map((dollars) => ({ pnlMicro: usd(dollars) }));

  test("the profit factor is gross profit over gross loss", () => {
    expect(profitFactor(results(30, 15, -10, -5, -3))).toBe(2.5);
  });

  test("the profit factor is capped, and equals the cap without a loss", () => {
    expect(profitFactor(results(1e6, 1e6, 1e6, 1e6, -0.01))).toBe(1000);
    expect(profitFactor(results(1, 1, 1, 1, 1))).toBe(1000);
  });

  test("the profit factor is 0 for losses only and unknown below five decided markets", () => {
    expect(profitFactor(results(-1, -1, -1, -1, -1))).toBe(0);
    expect(profitFactor(results(1, 1, 1, -1, 0, 0))).toBeNull();
  });
});

describe("edge consistency", () => {
  test("edge consistency is the winning share of the newest 30 days with a result", () => {
    // 5 losses are older than the newest 30 results: 18 wins and 12 losses.
    const results = [...times(5, () => -1), ...times(18, () => 1), 0, ...times(12, () => -1)];
    expect(edgeConsistency(toDailySeries(daysOf(results)))).toBe(0.6);
  });

  test("edge consistency is unknown below ten days with a result", () => {
    expect(edgeConsistency(toDailySeries(daysOf([...times(9, () => 1), 0, 0])))).toBeNull();
    expect(edgeConsistency(toDailySeries(daysOf(times(10, () => 1))))).toBe(1);
  });
});

describe("equity smoothness", () => {
  const smoothness = (pnl: number[], asOf: string) => equitySmoothness(toDailySeries(daysOf(pnl)), asOf);

  test("equity smoothness is 1 for a straight rise and 0 for a straight fall", () => {
    expect(
      smoothness(
        times(10, () => 2),
        "2026-01-10",
      ),
    ).toBeCloseTo(1, 12);
    expect(
      smoothness(
        times(10, () => -2),
        "2026-01-10",
      ),
    ).toBe(0);
  });

  // Ten days to 10, then ten at 10. x 0..19: Sxx 665; y mean 7.75, Syy 385 + 1000 - 20 * 7.75² = 183.75;
  // Sxy = sum x y - 20 * 9.5 * 7.75 = (330 + 1450) - 1472.5 = 307.5; 307.5² / (665 * 183.75) = 0.77382.
  test("equity smoothness counts the calendar days after the last result", () => {
    expect(
      smoothness(
        times(10, () => 1),
        "2026-01-20",
      ),
    ).toBeCloseTo(0.77382, 5);
  });

  test("equity smoothness leaves out later days and is unknown below ten results", () => {
    const laterDay = { day: "2026-02-01", pnlMicro: usd(-500), capitalMicro: null };
    expect(equitySmoothness(toDailySeries([...daysOf(times(10, () => 2)), laterDay]), "2026-01-10")).toBeCloseTo(1, 12);
    expect(
      smoothness(
        times(9, () => 2),
        "2026-01-09",
      ),
    ).toBeNull();
    expect(
      smoothness(
        times(20, () => 0),
        "2026-01-20",
      ),
    ).toBeNull();
  });
});

describe("concentration", () => {
  test("concentration is the sum of squared shares of cost", () => {
    expect(concentration([3, 1].map((dollars) => ({ costMicro: usd(dollars) })))).toBe(0.625);
    expect(concentration(times(4, () => ({ costMicro: usd(7) })))).toBe(0.25);
    expect(concentration([{ costMicro: 1n }, { costMicro: 0n }])).toBe(1);
  });

  test("concentration is unknown without any cost", () => {
    expect(concentration([])).toBeNull();
    expect(concentration([{ costMicro: 0n }])).toBeNull();
  });
});

describe("Kelly's estimate", () => {
  test("Kelly's estimate is the edge over the possible gain of the price", () => {
    // Six of ten won at 0.5: (0.6 - 0.5) / (1 - 0.5).
    expect(kellyEstimate(times(10, (index) => ({ entryPrice: 0.5, payout: index < 6 ? 1 : 0 })))).toBe(0.2);
  });

  test("Kelly's estimate is 0 without an edge, also at certainty, and 1 when every bet won", () => {
    expect(kellyEstimate(times(10, (index) => ({ entryPrice: 0.5, payout: index < 5 ? 1 : 0 })))).toBe(0);
    expect(kellyEstimate(times(10, () => ({ entryPrice: 1, payout: 1 })))).toBe(0);
    expect(kellyEstimate(times(10, () => ({ entryPrice: 0, payout: 1 })))).toBe(1);
  });

  test("Kelly's estimate is unknown below ten markets with a known price and payout", () => {
    expect(
      kellyEstimate([...times(9, () => ({ entryPrice: 0.5, payout: 1 })), { entryPrice: null, payout: 1 }]),
    ).toBeNull();
  });
});

describe("inconsistent edges", () => {
  /** Results in order of settlement; the ids are in another order. */
  const record = (...pnl: number[]) =>
    pnl.map((dollars, index) => ({
      conditionId: `0x${(index % 2) * 5 + Math.floor(index / 2)}`,
      pnlMicro: usd(dollars),
      settledAtMs: index,
    }));

  test("an edge is inconsistent when either half of the record lacks it", () => {
    expect(isEdgeInconsistent(record(1, 1, 1, 1, 1, 1, 1, 1, 1, -3))).toBe(false);
    expect(isEdgeInconsistent(record(9, 9, 9, 9, 9, 1, -1, 1, -1, -1))).toBe(true);
    expect(isEdgeInconsistent(record(-1, -1, -1, -1, -1, 9, 9, 9, 9, 9))).toBe(true);
  });

  test("the halves of a record follow settlement time, and consistency is unknown below ten decided markets", () => {
    expect(isEdgeInconsistent(record(9, 9, 9, 9, 9, 1, -1, 1, -1, -1).reverse())).toBe(true);
    expect(isEdgeInconsistent(record(1, 1, 1, 1, 1, 1, 1, 1, 1, 0))).toBeNull();
  });
});

describe("a trader's measures", () => {
  test("return, stake and loss are measured against the largest daily capital", () => {
    const days = daysOf([10, -5, 20]);
    const [, second] = days;
    if (second !== undefined) days[1] = { ...second, capitalMicro: usd(200) };
    const markets = [
      settledMarket({ conditionId: "0xa", costMicro: usd(150), pnlMicro: usd(-70) }),
      settledMarket({ conditionId: "0xb", costMicro: usd(50), pnlMicro: usd(95) }),
    ];
    expect(measureTrader(days, markets, "2026-01-03")).toMatchObject({
      returnOnCapital: 0.125,
      meanStake: 0.5,
      worstLoss: 0.35,
      settledMarkets: 2,
      concentration: 0.625,
      sharpe30d: null,
      profitFactor: null,
      kelly: null,
      isInconsistent: null,
    });
  });

  test("the measures of an empty history are all unknown", () => {
    const { settledMarkets, ...measures } = measureTrader([], [], "2026-01-03");
    expect(settledMarkets).toBe(0);
    expect(Object.values(measures).filter((value) => value !== null)).toEqual([]);
  });

  test("the measures ignore days after the requested day", () => {
    const days = daysOf(times(20, (index) => (index % 3) - 0.5));
    expect(measureTrader(days, [], "2026-01-12")).toEqual(measureTrader(days.slice(0, 12), [], "2026-01-12"));
  });

  test("the measures are finite numbers within their ranges, for any order of days and markets", () => {
    fc.assert(
      fc.property(anyDays, anySettled, (days, settled) => {
        const measures = measureTrader(days, settled, "2026-03-15");
        expect(numbersIn(measures).filter((number) => !isPlain(number))).toEqual([]);
        for (const name of ["edgeConsistency", "equitySmoothness", "concentration", "kelly"] as const) {
          expect(measures[name] ?? 0).toBeGreaterThanOrEqual(0);
          expect(measures[name] ?? 0).toBeLessThanOrEqual(1);
        }
        expect(measures.profitFactor ?? 0).toBeLessThanOrEqual(1000);
        expect(measureTrader([...days].reverse(), [...settled].reverse(), "2026-03-15")).toEqual(measures);
      }),
    );
  });
});
