import type { DailyPoint } from "./daily-series.ts";
import { CONSISTENCY_DAYS, CONSISTENCY_MIN_DAYS } from "./parameters.ts";
import { dailyWinRate, decidedDays } from "./win-days.ts";

/**
 * Share of the newest 30 days with a realized result that made money, 0 to 1.
 *
 * @returns null under 10 such days
 * Source: the contract.
 */
export function edgeConsistency(series: readonly DailyPoint[]): number | null {
  const newest = decidedDays(series).slice(-CONSISTENCY_DAYS);
  return newest.length < CONSISTENCY_MIN_DAYS ? null : dailyWinRate(newest);
}
