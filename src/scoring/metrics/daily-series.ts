import { dayNumber } from "./day-number.ts";

/** What one wallet realized on one UTC day. Days without any record are left out: nothing was realized on them. */
export interface WalletDay {
  /** YYYY-MM-DD, UTC; one row a day. */
  readonly day: string;
  /** Realized on this day with fees and rebates, in micro-dollars (see `realizedPnl`). */
  readonly pnlMicro: bigint;
  /**
   * Capital at work, in micro-dollars: the cost of what was held when the day began and all that was paid in on it (buys and splits).
   * Null when not known. Money turned over several times in a day counts each time, so returns are never overstated by it.
   */
  readonly capitalMicro: bigint | null;
}

export interface DailyPoint extends WalletDay {
  /** See `dayNumber`. */
  readonly dayNumber: number;
  /** Sum of `pnlMicro` from the first recorded day to this one. */
  readonly cumulativeMicro: bigint;
}

/** A wallet's recorded days as a curve, oldest first, whatever their order was. Never rebased: a window of it keeps its totals. */
export function toDailySeries(days: readonly WalletDay[]): readonly DailyPoint[] {
  let cumulativeMicro = 0n;
  return days
    .map((day) => ({ ...day, dayNumber: dayNumber(day.day) }))
    .sort((a, b) => a.dayNumber - b.dayNumber)
    .map((day) => {
      cumulativeMicro += day.pnlMicro;
      return { ...day, cumulativeMicro };
    });
}

/** Points of the `days` UTC days that end with `asOf`, that day included. */
export function trailingDays(series: readonly DailyPoint[], asOf: string, days: number): readonly DailyPoint[] {
  const last = dayNumber(asOf);
  return series.filter((point) => point.dayNumber > last - days && point.dayNumber <= last);
}
