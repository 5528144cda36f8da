import type { MeterVerdict, MonthlyQuota } from "../../src/ports/meter.ts";

/** Requests counted in one UTC day or month. */
export interface PeriodCount {
  /** `2026-11-21` or `2026-11`. */
  readonly period: string;
  readonly used: number;
}

export const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Of the days that are still kept. */
export const firstDayOfLastMonth = (ms: number): string => dayOf(startOfMonth(ms, -1));

export const startOfNextMonth = (ms: number): number => startOfMonth(ms, 1);

export function startOfNextDay(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1);
}

/** The count of a period; that of any other period has ended and is 0. */
export function countIn({ period, used }: PeriodCount, current: string): number {
  return period === current ? used : 0;
}

/** How many requests a month are served: the included ones, or with pay-as-you-go those up to the ceiling. */
export function requestLimit({ included, ceiling, payAsYouGo }: MonthlyQuota): number {
  return payAsYouGo ? ceiling : included;
}

/** @param used requests of the month so far; more than the limit when pay-as-you-go has been turned off since */
export function describeQuota(quota: MonthlyQuota, used: number, nowMs: number): MeterVerdict["quota"] {
  const limit = requestLimit(quota);
  return { limit, used, remaining: Math.max(0, limit - used), resetAtMs: startOfNextMonth(nowMs) };
}

function startOfMonth(ms: number, monthsLater: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater, 1);
}
