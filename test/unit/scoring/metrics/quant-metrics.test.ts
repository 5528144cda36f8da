import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { percentileOf } from "../../../../src/scoring/metrics/percentile.ts";
import { quantMetrics, type MetricPopulation } from "../../../../src/scoring/metrics/quant-metrics.ts";
import { measureTrader, type TraderMeasures } from "../../../../src/scoring/metrics/trader-measures.ts";
import { anyDays, anySettled, isPlain, numbersIn } from "./trader-days.ts";

/** 0 to 99. */
const HUNDRED = Array.from({ length: 100 }, (_, index) => index);
const POPULATION: MetricPopulation = {
  sharpe30d: HUNDRED,
  profitFactor: HUNDRED,
  edgeConsistency: HUNDRED.map((value) => value / 100),
};

/** Above 80, 60 and 40 of 100 members, without any deduction. */
const GOOD: TraderMeasures = {
  sharpe30d: 79.5,
  sharpe7d: 2,
  profitFactor: 59.5,
  edgeConsistency: 0.395,
  returnOnCapital: 1,
  equitySmoothness: 0.9,
  concentration: 0.2,
  settledMarkets: 50,
  meanStake: 0.1,
  kelly: 0.05,
  worstLoss: 0.3,
  isInconsistent: false,
};

describe("percentiles", () => {
  test("a percentile counts lower members fully and equal members half", () => {
    expect(percentileOf(50, HUNDRED)).toBe(50.5);
    expect(percentileOf(49.5, HUNDRED)).toBe(50);
    expect(percentileOf(-1, HUNDRED)).toBe(0);
    expect(percentileOf(100, HUNDRED)).toBe(100);
    expect(
      percentileOf(
        3,
        Array.from({ length: 20 }, () => 3),
      ),
    ).toBe(50);
  });

  test("a percentile is unknown for an unknown value and in a population of fewer than twenty", () => {
    expect(percentileOf(null, HUNDRED)).toBeNull();
    expect(percentileOf(3, HUNDRED.slice(0, 19))).toBeNull();
  });

  test("a percentile equals a count member by member and never falls as the value rises", () => {
    const members = fc
      .array(fc.integer({ min: -5, max: 5 }), { minLength: 20, maxLength: 50 })
      .map((any) => any.sort((a, b) => a - b));
    fc.assert(
      fc.property(members, fc.integer({ min: -6, max: 6 }), (population, value) => {
        const counted = population.reduce((sum, member) => sum + (member < value ? 1 : member === value ? 0.5 : 0), 0);
        expect(percentileOf(value, population)).toBeCloseTo((100 * counted) / population.length, 10);
        expect(percentileOf(value + 1, population) ?? 0).toBeGreaterThanOrEqual(percentileOf(value, population) ?? 0);
      }),
    );
  });
});

describe("the smart score", () => {
  // 30 * 0.8 + 20 * 0.6 + 20 * 0.4 + 10 * 0.5 + 10 * 0.9 + 10 * 0.8 = 24 + 12 + 8 + 5 + 9 + 8.
  test("the smart score is the sum of the contract's formula", () => {
    const metrics = quantMetrics(GOOD, POPULATION);
    expect(metrics.smartScore).toBeCloseTo(66, 10);
    expect(metrics).toMatchObject({
      sharpePercentile: 80,
      profitFactorPercentile: 60,
      consistencyPercentile: 40,
      sharpe7d: 2,
    });
  });

  test("the smart score counts a return of at most twice the capital, and is never below 0", () => {
    expect(quantMetrics({ ...GOOD, returnOnCapital: 50 }, POPULATION).smartScore).toBeCloseTo(71, 10);
    expect(quantMetrics({ ...GOOD, returnOnCapital: -50 }, POPULATION).smartScore).toBe(0);
  });

  test.each([
    "sharpe30d",
    "profitFactor",
    "edgeConsistency",
    "returnOnCapital",
    "equitySmoothness",
    "concentration",
  ] as const)("the smart score is unknown without %s, and the other metrics are reported", (name) => {
    const metrics = quantMetrics({ ...GOOD, [name]: null }, POPULATION);
    expect([metrics.smartScore, metrics.copyScore]).toEqual([null, null]);
    expect(metrics.sharpe7d).toBe(2);
  });
});

describe("the copy score", () => {
  test("the copy score equals the smart score without any deduction", () => {
    expect(quantMetrics(GOOD, POPULATION).copyScore).toBeCloseTo(66, 10);
  });

  test.each([
    ["fewer than 50 markets", { settledMarkets: 49 }, 46],
    ["a high concentration", { concentration: 0.26 }, 50.4],
    ["stakes over twice Kelly", { meanStake: 0.11 }, 51],
    ["stakes without an edge", { kelly: 0 }, 51],
    ["a loss of over 30 %", { worstLoss: 0.31 }, 56],
    ["an inconsistent edge", { isInconsistent: true }, 56],
  ])("the copy score is lower with %s", (_, change, expected) => {
    expect(quantMetrics({ ...GOOD, ...change }, POPULATION).copyScore).toBeCloseTo(expected, 10);
  });

  test.each(["meanStake", "kelly", "worstLoss", "isInconsistent"] as const)(
    "the copy score is unknown without %s, the smart score is known",
    (name) => {
      const metrics = quantMetrics({ ...GOOD, [name]: null }, POPULATION);
      expect(metrics.copyScore).toBeNull();
      expect(metrics.smartScore).toBeCloseTo(66, 10);
    },
  );

  test("the copy score is at least 0", () => {
    const poor = {
      ...GOOD,
      sharpe30d: -1,
      settledMarkets: 1,
      isInconsistent: true,
      worstLoss: 1,
      kelly: 0,
      concentration: 1,
    };
    expect(quantMetrics(poor, POPULATION).copyScore).toBe(0);
  });
});

test("all nine metrics of any history are finite numbers in range or null, and the copy score never exceeds the smart score", () => {
  fc.assert(
    fc.property(anyDays, anySettled, (days, settled) => {
      const metrics = quantMetrics(measureTrader(days, settled, "2026-03-15"), POPULATION);
      expect(Object.keys(metrics)).toHaveLength(9);
      expect(numbersIn(metrics).filter((number) => !isPlain(number))).toEqual([]);
      const { smartScore, copyScore, sharpePercentile, profitFactorPercentile, consistencyPercentile } = metrics;
      for (const value of [smartScore, copyScore, sharpePercentile, profitFactorPercentile, consistencyPercentile]) {
        expect(value ?? 0).toBeGreaterThanOrEqual(0);
        expect(value ?? 0).toBeLessThanOrEqual(100);
      }
      expect(copyScore ?? 0).toBeLessThanOrEqual(smartScore ?? 0);
    }),
  );
});
