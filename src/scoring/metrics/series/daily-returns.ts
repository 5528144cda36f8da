import { dayNumber } from "./day-number.ts";
import { trailingDays, type DailyPoint } from "./daily-series.ts";

export interface DailyReturns {
  /** Fractions of capital at work (0.02 is 2 %), oldest first. */
  readonly returns: readonly number[];
  /** Number of returns from days with a realized result. */
  readonly realizedDays: number;
}

/**
 * Returns of the calendar days of a trailing window, from the trader's first recorded day on: a day's
 * realized P&L divided by its capital at work. Days without a realized result return 0. A day with a result
 * but without known capital (rebates without a position) is omitted, because its return is unknown.
 *
 * @param days length of the window that ends with `asOf`
 * Source: our own design, version 1.
 */
export function dailyReturns(series: readonly DailyPoint[], asOf: string, days: number): DailyReturns {
  const first = series[0];
  const last = dayNumber(asOf);
  if (first === undefined) return { returns: [], realizedDays: 0 };
  const byDay = new Map(trailingDays(series, asOf, days).map((point) => [point.dayNumber, point]));
  const returns: number[] = [];
  let realizedDays = 0;
  for (let day = Math.max(first.dayNumber, last - days + 1); day <= last; day += 1) {
    const { pnlMicro, capitalMicro } = byDay.get(day) ?? QUIET_DAY;
    if (pnlMicro === 0n) returns.push(0);
    else if (capitalMicro !== null && capitalMicro > 0n) {
      returns.push(Number(pnlMicro) / Number(capitalMicro));
      realizedDays += 1;
    }
  }
  return { returns, realizedDays };
}

const QUIET_DAY: Pick<DailyPoint, "pnlMicro" | "capitalMicro"> = { pnlMicro: 0n, capitalMicro: null };
