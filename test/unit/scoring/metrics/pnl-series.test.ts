import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayNumber, dayOfNumber } from "../../../../src/scoring/metrics/day-number.ts";
import { toDailySeries, trailingDays } from "../../../../src/scoring/metrics/daily-series.ts";
import { drawdownCurve, drawdowns } from "../../../../src/scoring/metrics/drawdown.ts";
import { periodStats } from "../../../../src/scoring/metrics/period-stats.ts";
import { monthlyTotals, yearTotals } from "../../../../src/scoring/metrics/period-totals.ts";
import { dailyWinRate, dayStreaks } from "../../../../src/scoring/metrics/win-days.ts";
import { anyDays, daysOf, isPlain, JANUARY_1_2026, numbersIn, usd } from "./wallet-days.ts";

/** Cumulative: 10, 30, 5, 5, -15, 0. */
const SERIES = toDailySeries(daysOf([10, 20, -25, 0, -20, 15]));

describe("days", () => {
  test("are counted from 1970-01-01 and back", () => {
    expect(dayNumber("1970-01-01")).toBe(0);
    expect(dayNumber("2026-01-01")).toBe(JANUARY_1_2026);
    expect(dayOfNumber(JANUARY_1_2026)).toBe("2026-01-01");
  });

  test.each(["2026-02-30", "2026-1-1", "2026-01-01T00:00:00Z", "", "yesterday"])("%j is no day", (text) => {
    expect(() => dayNumber(text)).toThrow(RangeError);
  });
});

describe("the daily series", () => {
  test("adds up oldest first, whatever the order of the rows", () => {
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
  test("of all history start from nothing, and nothing has no percent", () => {
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

  // The three days before 2026-01-06 ended at 5: -20 and 15 make 0, a change of -5, which is 100 % of 5.
  test("of a window start from the cumulative figure before it", () => {
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

  test("a change from a loss is a percentage of its size, with the sign of the change", () => {
    expect(periodStats(SERIES, "2026-01-06", 1)).toMatchObject({ rebaseAnchorMicro: usd(-15), changeMicro: usd(15), changePct: 100 });
  });

  test("a window without recorded days has no best, worst or average day, and a change of nothing", () => {
    expect(periodStats(SERIES, "2026-03-01", 7)).toMatchObject({
      currentMicro: 0n,
      changeMicro: 0n,
      bestDay: null,
      worstDay: null,
      averageDayMicro: null,
    });
  });

  test("of equal days the earlier one is best", () => {
    expect(periodStats(toDailySeries(daysOf([3, 3])), "2026-01-02", null).bestDay?.day).toBe("2026-01-01");
  });

  test("days after the last one counted are not known yet", () => {
    expect(periodStats(SERIES, "2026-01-02", null)).toMatchObject({ currentMicro: usd(30), winDays: 2, lossDays: 0 });
  });
});

describe("months and years", () => {
  const days = [
    { day: "2025-12-31", pnlMicro: usd(5), capitalMicro: null },
    { day: "2026-01-01", pnlMicro: usd(-2), capitalMicro: null },
    { day: "2026-01-31", pnlMicro: usd(4), capitalMicro: null },
  ];

  test("are cut at UTC midnight; a month has a result, fills, or both", () => {
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

  test("add up to the whole, in any order of days", () => {
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

describe("drawdown", () => {
  test("is the distance from the highest point so far, day by day", () => {
    expect(drawdownCurve(SERIES).map((point) => point.drawdownMicro)).toEqual([0n, 0n, usd(-25), usd(-25), usd(-45), usd(-30)]);
  });

  // From 30 on 2 January to -15 on the 5th: 45 lost of 30.
  test("names the days of the deepest fall and where the curve stands now", () => {
    expect(drawdowns(SERIES)).toEqual({
      deepest: { amountMicro: usd(-45), peakDay: "2026-01-02", troughDay: "2026-01-05", percentOfPeak: -150 },
      current: { amountMicro: usd(-30), peakDay: "2026-01-02", troughDay: "2026-01-06", percentOfPeak: -100 },
    });
  });

  test("of a wallet that only lost is measured from the start, without a percentage", () => {
    expect(drawdowns(toDailySeries(daysOf([-5, -1]))).deepest).toEqual({
      amountMicro: usd(-6),
      peakDay: null,
      troughDay: "2026-01-02",
      percentOfPeak: null,
    });
  });

  test("is nothing at a new high and without history", () => {
    const none = { amountMicro: 0n, peakDay: null, troughDay: null, percentOfPeak: null };
    expect(drawdowns(toDailySeries(daysOf([5, -2, 3]))).current).toEqual(none);
    expect(drawdowns([])).toEqual({ deepest: none, current: none });
  });

  test("of equal falls the first is told", () => {
    expect(drawdowns(toDailySeries(daysOf([5, -2, 2, -2]))).deepest.troughDay).toBe("2026-01-02");
  });

  test("the deepest is the least of all pairs of an earlier and a later day", () => {
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
  test("are counted against losing ones; a day of nothing decides nothing", () => {
    expect(dailyWinRate(SERIES)).toBe(0.6);
    expect(dailyWinRate(toDailySeries(daysOf([0, 0])))).toBeNull();
  });

  test("run on over days of nothing", () => {
    expect(dayStreaks(toDailySeries(daysOf([1, 0, 1, 1, -1, 1, -1, 0, -1])))).toEqual({ current: -2, longestWin: 3, longestLoss: 2 });
    expect(dayStreaks([])).toEqual({ current: 0, longestWin: 0, longestLoss: 0 });
  });
});

test("no series makes anything but plain numbers", () => {
  fc.assert(
    fc.property(anyDays, fc.option(fc.integer({ min: 1, max: 120 }), { nil: null }), (any, window) => {
      const series = toDailySeries(any);
      const made = [
        periodStats(series, "2026-03-01", window),
        drawdowns(series),
        drawdownCurve(series),
        dailyWinRate(series),
        dayStreaks(series),
      ];
      expect(numbersIn(made).filter((number) => !isPlain(number))).toEqual([]);
    }),
  );
});
