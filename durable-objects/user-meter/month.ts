import { startOfMonth, utcDate } from "../../src/scoring/utc-calendar.ts";
import type { MeterVerdict, MonthlyQuota } from "../../src/platform/objects/meter.ts";

/** Requests counted in one UTC day or month. */
export interface PeriodCount {
  /** `2026-11-21` or `2026-11`. */
  readonly period: string;
  readonly used: number;
}

/** The oldest day whose totals are retained. */
export const firstDayOfLastMonth = (ms: number): string => utcDate(startOfMonth(ms, -1));

export const startOfNextMonth = (ms: number): number => startOfMonth(ms, 1);

/** The count of the current period; 0 when the stored count belongs to another period. */
export function countIn({ period, used }: PeriodCount, current: string): number {
  return period === current ? used : 0;
}

/** Monthly request limit: the included requests, or the ceiling with pay-as-you-go. */
export function requestLimit({ included, ceiling, payAsYouGo }: MonthlyQuota): number {
  return payAsYouGo ? ceiling : included;
}

/**
 * @param used requests of the month so far; above the limit when pay-as-you-go was turned off during the
 *   month
 */
export function describeQuota(quota: MonthlyQuota, used: number, nowMs: number): MeterVerdict["quota"] {
  const limit = requestLimit(quota);
  return { limit, used, remaining: Math.max(0, limit - used), resetAtMs: startOfNextMonth(nowMs) };
}
