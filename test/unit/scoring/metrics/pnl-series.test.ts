import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayNumber } from "../../../../src/scoring/metrics/series/day-number.ts";
import { dayOfNumber } from "../../../support/oracles/day-of-number.ts";
import { toDailySeries, trailingDays } from "../../../../src/scoring/metrics/series/daily-series.ts";
import { drawdownCurve, drawdowns } from "../../../../src/scoring/metrics/series/drawdown.ts";
import { periodStats } from "../../../../src/scoring/metrics/series/period-stats.ts";
import { monthlyTotals, yearTotals } from "../../../../src/scoring/metrics/series/period-totals.ts";
import { dailyWinRate, dayStreaks } from "../../../../src/scoring/metrics/series/win-days.ts";
import { anyDays, daysOf, isPlain, JANUARY_1_2026, numbersIn, usd } from "./trader-days.ts";

/** Cumulative: 10, 30, 5, 5, -15, 0. */
const SERIES = toDailySeries(daysOf([10, 20, -25, 0, -20, 15]));

describe("day numbers", () => {
  test("days are numbered from 1970-01-01 and converted back", () => {
    expect(dayNumber("1970-01-01")).toBe(0);
    expect(dayNumber("2026-01-01")).toBe(JANUARY_1_2026);
    expect(dayOfNumber(JANUARY_1_2026)).toBe("2026-01-01");
  });

  test.each(["2026-02-30", "2026-1-1", "2026-01-01T00:00:00Z", "", "yesterday"])("the text %j is not a day", (text) => {
    expect(() => dayNumber(text)).toThrow(RangeError);
  });
});

describe("the daily series", () => {
  test("the daily series is cumulated oldest first, independent of the order of rows", () => {
    const points = toDailySeries(daysOf([10, 20, -25]).reverse());
    expect(points.map((point) => [point.day, point.cumulativeMicro])).toEqual([
      ["2026-01-01", usd(10)],
      ["2026-01-02", usd(30)],
      ["2026-01-03", usd(5)],
    ]);
  });

  test("a trailing window ends with its day and counts calendar days", () => {
    expect(trailingDays(SERIES, "2026-01-04", 2).map((point) => point.day)).toEqual(["2026-01-03", "2026-01-04"]);
    expect(trailingDays(SERIES, "2026-01-07", 2).map((point) => point.day)).toEqual(["2026-01-06"]);
  });
});

describe("statistics of a period", () => {
  test("statistics of all history start from zero and have no percentage", () => {
    expect(periodStats(SERIES, "2026-01-06", null)).toEqual({
      currentMicro: 0n,
      rebaseAnchorMicro: 0n,
      changeMicro: 0n,
      changePct: null,
      bestDay: { day: "2026-01-02", pnlMicro: usd(20) },
      worstDay: { day: "2026-01-03", pnlMicro: usd(-25) },
      winDays: 3,
      lossDays: 2,
      averageDayMicro: 0n,
    });
  });

  // The three days before 2026-01-06 ended at 5: -20 and 15 lead to 0, a change of -5, which is 100 % of 5.
  test("statistics of a window start from the cumulative amount before it", () => {
    expect(periodStats(SERIES, "2026-01-06", 3)).toMatchObject({
      currentMicro: 0n,
      rebaseAnchorMicro: usd(5),
      changeMicro: usd(-5),
      changePct: -100,
      averageDayMicro: -1_666_667n,
      winDays: 1,
      lossDays: 1,
    });
  });

  test("a change from a loss is a percentage of the loss, with the sign of the change", () => {
    expect(periodStats(SERIES, "2026-01-06", 1)).toMatchObject({
      rebaseAnchorMicro: usd(-15),
      changeMicro: usd(15),
      changePct: 100,
    });
  });

  test("a window without recorded days has no best, worst or average day and a change of zero", () => {
    expect(periodStats(SERIES, "2026-03-01", 7)).toMatchObject({
      currentMicro: 0n,
      changeMicro: 0n,
      bestDay: null,
      worstDay: null,
      averageDayMicro: null,
    });
  });

  test("the earlier of two equal days is the best day", () => {
    expect(periodStats(toDailySeries(daysOf([3, 3])), "2026-01-02", null).bestDay?.day).toBe("2026-01-01");
  });

  test("days after the requested day are not counted", () => {
    expect(periodStats(SERIES, "2026-01-02", null)).toMatchObject({ currentMicro: usd(30), winDays: 2, lossDays: 0 });
  });
});

describe("months and years", () => {
  const days = [
    { day: "2025-12-31", pnlMicro: usd(5), capitalMicro: null },
    { day: "2026-01-01", pnlMicro: usd(-2), capitalMicro: null },
    { day: "2026-01-31", pnlMicro: usd(4), capitalMicro: null },
  ];

  test("months and years are cut at UTC midnight, and a month has a result, fills, or both", () => {
    const traded = new Map([
      ["2026-01", 2],
      ["2026-02", 1],
    ]);
    expect(monthlyTotals(toDailySeries(days), traded)).toEqual([
      { year: 2025, month: 12, pnlMicro: usd(5), marketsTraded: 0 },
      { year: 2026, month: 1, pnlMicro: usd(2), marketsTraded: 2 },
      { year: 2026, month: 2, pnlMicro: 0n, marketsTraded: 1 },
    ]);
    expect(yearTotals(toDailySeries(days))).toEqual([
      { year: 2025, pnlMicro: usd(5) },
      { year: 2026, pnlMicro: usd(2) },
    ]);
  });

  test("months and years add up to the total, for any order of days", () => {
    fc.assert(
      fc.property(anyDays, (any) => {
        const series = toDailySeries(any);
        const whole = any.reduce((sum, day) => sum + day.pnlMicro, 0n);
        expect(monthlyTotals(series, new Map()).reduce((sum, month) => sum + month.pnlMicro, 0n)).toBe(whole);
        expect(yearTotals(series).reduce((sum, year) => sum + year.pnlMicro, 0n)).toBe(whole);
        expect(toDailySeries([...any].reverse())).toEqual(series);
      }),
    );
  });
});

describe("drawdowns", () => {
  test("the drawdown curve is the distance from the highest point up to each day", () => {
    expect(drawdownCurve(SERIES).map((point) => point.drawdownMicro)).toEqual([
      0n,
      0n,
      usd(-25),
      usd(-25),
      usd(-45),
      usd(-30),
    ]);
  });

  // From 30 on 2 January to -15 on the 5th: a loss of 45 from a peak of 30.
  test("drawdowns name the days of the deepest and of the current one", () => {
    expect(drawdowns(SERIES)).toEqual({
      deepest: { amountMicro: usd(-45), peakDay: "2026-01-02", troughDay: "2026-01-05", percentOfPeak: -150 },
      current: { amountMicro: usd(-30), peakDay: "2026-01-02", troughDay: "2026-01-06", percentOfPeak: -100 },
    });
  });

  test("the drawdown of a trader with losses only is measured from the start, without a percentage", () => {
    expect(drawdowns(toDailySeries(daysOf([-5, -1]))).deepest).toEqual({
      amountMicro: usd(-6),
      peakDay: null,
      troughDay: "2026-01-02",
      percentOfPeak: null,
    });
  });

  test("the drawdown is zero at a new high and without history", () => {
    const none = { amountMicro: 0n, peakDay: null, troughDay: null, percentOfPeak: null };
    expect(drawdowns(toDailySeries(daysOf([5, -2, 3]))).current).toEqual(none);
    expect(drawdowns([])).toEqual({ deepest: none, current: none });
  });

  test("the first of two equally deep drawdowns is reported", () => {
    expect(drawdowns(toDailySeries(daysOf([5, -2, 2, -2]))).deepest.troughDay).toBe("2026-01-02");
  });

  test("the deepest drawdown is the lowest difference between any earlier and later day", () => {
    fc.assert(
      fc.property(anyDays, (any) => {
        const curve = [0n, ...toDailySeries(any).map((point) => point.cumulativeMicro)];
        const falls = curve.flatMap((earlier, index) => curve.slice(index).map((later) => later - earlier));
        const least = falls.reduce((lowest, fall) => (fall < lowest ? fall : lowest), 0n);
        expect(drawdowns(toDailySeries(any)).deepest.amountMicro).toBe(least);
      }),
    );
  });
});

describe("winning days", () => {
  test("the daily win rate counts winning against losing days and ignores days of zero", () => {
    expect(dailyWinRate(SERIES)).toBe(0.6);
    expect(dailyWinRate(toDailySeries(daysOf([0, 0])))).toBeNull();
  });

  test("winning and losing streaks continue over days of zero", () => {
    expect(dayStreaks(toDailySeries(daysOf([1, 0, 1, 1, -1, 1, -1, 0, -1])))).toEqual({
      current: -2,
      longestWin: 3,
      longestLoss: 2,
    });
    expect(dayStreaks([])).toEqual({ current: 0, longestWin: 0, longestLoss: 0 });
  });
});

test("statistics of any series are finite numbers without negative zero", () => {
  fc.assert(
    fc.property(anyDays, fc.option(fc.integer({ min: 1, max: 120 }), { nil: null }), (any, window) => {
      const series = toDailySeries(any);
      const results = [
        periodStats(series, "2026-03-01", window),
        drawdowns(series),
        drawdownCurve(series),
        dailyWinRate(series),
        dayStreaks(series),
      ];
      expect(numbersIn(results).filter((number) => !isPlain(number))).toEqual([]);
    }),
  );
});
