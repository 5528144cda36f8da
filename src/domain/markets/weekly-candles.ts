import { bucketStart } from "../../scoring/signals/candles.ts";

/** Prices of one bucket as stored: decimals as text, 0 to 1. */
export interface StoredCandle {
  /** Start of the bucket, Unix seconds. */
  readonly t: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
}

/**
 * Candles of ISO weeks, from Monday, built from the given days of one outcome. A week with only some of its
 * days is built from those days.
 *
 * @param days oldest first
 */
export function weeklyCandles(days: readonly StoredCandle[]): readonly StoredCandle[] {
  const weeks = new Map<number, StoredCandle>();
  for (const day of days) {
    const t = bucketStart(day.t * 1000, "1w");
    const week = weeks.get(t);
    weeks.set(t, {
      t,
      open: week?.open ?? day.open,
      high: week !== undefined && Number(week.high) >= Number(day.high) ? week.high : day.high,
      low: week !== undefined && Number(week.low) <= Number(day.low) ? week.low : day.low,
      close: day.close,
    });
  }
  return [...weeks.values()];
}
