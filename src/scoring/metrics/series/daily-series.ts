import { dayNumber } from "./day-number.ts";

/**
 * The realized result of one trader on one UTC day. Days without any record are omitted: nothing was realized
 * on them.
 */
export interface TraderDay {
  /** YYYY-MM-DD, UTC; one row per day. */
  readonly day: string;
  /** Realized on this day with fees and rebates, in micro-dollars (see `realizedPnl`). */
  readonly pnlMicro: bigint;
  /**
   * Capital at work, in micro-dollars: the cost of open shares at the start of the day plus all purchases and
   * splits on it. Null when unknown. Money used several times in a day counts each time, so returns are never
   * overstated.
   */
  readonly capitalMicro: bigint | null;
}

export interface DailyPoint extends TraderDay {
  /** See `dayNumber`. */
  readonly dayNumber: number;
  /** Sum of `pnlMicro` from the first recorded day to this one. */
  readonly cumulativeMicro: bigint;
}

/**
 * A trader's recorded days as a curve, oldest first, for days in any order. Never rebased: a window of it
 * keeps its cumulative totals.
 */
export function toDailySeries(days: readonly TraderDay[]): readonly DailyPoint[] {
  let cumulativeMicro = 0n;
  return days
    .map((day) => ({ ...day, dayNumber: dayNumber(day.day) }))
    .sort((a, b) => a.dayNumber - b.dayNumber)
    .map((day) => {
      cumulativeMicro += day.pnlMicro;
      return { ...day, cumulativeMicro };
    });
}

/** The points of the `days` UTC days that end with `asOf`, inclusive. */
export function trailingDays(series: readonly DailyPoint[], asOf: string, days: number): readonly DailyPoint[] {
  const last = dayNumber(asOf);
  return series.filter((point) => point.dayNumber > last - days && point.dayNumber <= last);
}
