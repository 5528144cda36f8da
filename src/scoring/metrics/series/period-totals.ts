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

/**
 * Totals of the UTC months with a recorded day or fill, oldest first. Months without one are omitted.
 *
 * @param marketsByMonth distinct markets with a fill in a month, by `YYYY-MM`. Daily counts cannot be added
 *   up, because one market may be traded on several days.
 */
export function monthlyTotals(
  series: readonly DailyPoint[],
  marketsByMonth: ReadonlyMap<string, number>,
): readonly MonthTotal[] {
  const pnl = sumBy(series, (day) => day.slice(0, 7));
  return [...new Set([...pnl.keys(), ...marketsByMonth.keys()])].sort().map((month) => ({
    year: Number(month.slice(0, 4)),
    month: Number(month.slice(5, 7)),
    pnlMicro: pnl.get(month) ?? 0n,
    marketsTraded: marketsByMonth.get(month) ?? 0,
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
