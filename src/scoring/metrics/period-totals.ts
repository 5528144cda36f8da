import type { DailyPoint } from "./daily-series.ts";

export interface MonthTotal {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly pnlMicro: bigint;
  /** Distinct markets with a fill in the month. */
  readonly marketsTraded: number;
}

export interface YearTotal {
  readonly year: number;
  readonly pnlMicro: bigint;
}

/** One market in which a wallet had a fill on a day. Repeats count once. */
export interface MarketDay {
  readonly day: string;
  readonly conditionId: string;
}

/**
 * Totals of the UTC months with a recorded day or fill, oldest first. Months in between without one are left out.
 *
 * @param marketDays distinct markets of a month cannot be added up from days, so the days they were traded on are asked for
 */
export function monthlyTotals(series: readonly DailyPoint[], marketDays: readonly MarketDay[]): readonly MonthTotal[] {
  const pnl = sumBy(series, (day) => day.slice(0, 7));
  const markets = new Map<string, Set<string>>();
  for (const { day, conditionId } of marketDays) {
    const month = day.slice(0, 7);
    markets.set(month, (markets.get(month) ?? new Set<string>()).add(conditionId));
  }
  return [...new Set([...pnl.keys(), ...markets.keys()])].sort().map((month) => ({
    year: Number(month.slice(0, 4)),
    month: Number(month.slice(5, 7)),
    pnlMicro: pnl.get(month) ?? 0n,
    marketsTraded: markets.get(month)?.size ?? 0,
  }));
}

/** Totals of the UTC years with a recorded day, oldest first. */
export function yearTotals(series: readonly DailyPoint[]): readonly YearTotal[] {
  return [...sumBy(series, (day) => day.slice(0, 4))]
    .map(([year, pnlMicro]) => ({ year: Number(year), pnlMicro }))
    .sort((a, b) => a.year - b.year);
}

function sumBy(series: readonly DailyPoint[], periodOf: (day: string) => string): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { day, pnlMicro } of series) sums.set(periodOf(day), (sums.get(periodOf(day)) ?? 0n) + pnlMicro);
  return sums;
}
