import { dayNumber } from "./day-number.ts";
import type { DailyPoint } from "./daily-series.ts";
import { SMOOTHNESS_MIN_DAYS } from "../parameters.ts";
import { decidedDays } from "./win-days.ts";

/**
 * How steadily cumulative P&L has grown: R² of a straight line fitted over the calendar days from the first
 * recorded one to `asOf`, 0 to 1. A curve with a line that does not rise has 0, however straight it is: a
 * steady loss is not a merit.
 *
 * @returns null below SMOOTHNESS_MIN_DAYS days with a result
 * Source: coefficient of determination of least squares; the rule for falling curves is our own, version 1.
 */
export function equitySmoothness(series: readonly DailyPoint[], asOf: string): number | null {
  const last = dayNumber(asOf);
  const past = series.filter((point) => point.dayNumber <= last);
  const curve = dailyCurve(past, last);
  if (decidedDays(past).length < SMOOTHNESS_MIN_DAYS) return null;
  const middle = (curve.length - 1) / 2;
  const mean = curve.reduce((sum, value) => sum + value, 0) / curve.length;
  let covariance = 0;
  let timeSquares = 0;
  let valueSquares = 0;
  for (const [day, value] of curve.entries()) {
    covariance += (day - middle) * (value - mean);
    timeSquares += (day - middle) ** 2;
    valueSquares += (value - mean) ** 2;
  }
  return covariance <= 0 ? 0 : Math.min(1, covariance ** 2 / (timeSquares * valueSquares));
}

/** Cumulative dollars of each calendar day; a day without a record repeats the day before. */
function dailyCurve(series: readonly DailyPoint[], last: number): readonly number[] {
  return series.flatMap(({ dayNumber: day, cumulativeMicro }, index) =>
    Array.from({ length: (series[index + 1]?.dayNumber ?? last + 1) - day }, () => Number(cumulativeMicro) / 1e6),
  );
}
