import type { DailyReturns } from "./daily-returns.ts";
import { DAYS_PER_YEAR } from "../parameters.ts";

/**
 * Annualised Sharpe ratio of daily returns: mean / sample deviation * sqrt(365).
 *
 * @param minDays minimum number of days with a result
 * @returns dimensionless, unbounded; null with fewer such days or without variation: too little history is
 *   unknown, not zero
 * Source: Sharpe (1994), ex post ratio, zero benchmark; a year of 365 days, because these markets do not
 *   close.
 */
export function sharpeRatio({ returns, realizedDays }: DailyReturns, minDays: number): number | null {
  const count = returns.length;
  if (realizedDays < minDays || count < 2 || isConstant(returns)) return null;
  const mean = returns.reduce((sum, value) => sum + value, 0) / count;
  const deviation = Math.sqrt(returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1));
  return (mean / deviation) * Math.sqrt(DAYS_PER_YEAR) + 0;
}

/** Equal returns deviate by about 1e-17 in floating point, never by 0. */
function isConstant(values: readonly number[]): boolean {
  const high = Math.max(...values);
  const low = Math.min(...values);
  return high - low <= 1e-12 * Math.max(Math.abs(high), Math.abs(low));
}
