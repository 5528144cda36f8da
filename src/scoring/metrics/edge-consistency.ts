import type { DailyPoint } from "./series/daily-series.ts";
import { CONSISTENCY_DAYS, CONSISTENCY_MIN_DAYS } from "./parameters.ts";
import { dailyWinRate, decidedDays } from "./series/win-days.ts";

/**
 * Fraction of profitable days among the newest 30 days with a realized result, 0 to 1.
 *
 * @returns null with fewer than 10 such days
 * Source: the contract.
 */
export function edgeConsistency(series: readonly DailyPoint[]): number | null {
  const newest = decidedDays(series).slice(-CONSISTENCY_DAYS);
  return newest.length < CONSISTENCY_MIN_DAYS ? null : dailyWinRate(newest);
}
