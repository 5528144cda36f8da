import type { DailyPoint } from "./daily-series.ts";
import { winRate } from "../win-record.ts";

export interface DayStreaks {
  /**
   * Length of the streak that includes the newest decided day: positive for winning days, negative for losing
   * days, 0 without any.
   */
  readonly current: number;
  readonly longestWin: number;
  readonly longestLoss: number;
}

/** Days with a profit or a loss. A result of exactly zero is not decided. */
export const decidedDays = (series: readonly DailyPoint[]): readonly DailyPoint[] =>
  series.filter((point) => point.pnlMicro !== 0n);

/** Fraction of decided days with a profit, 0 to 1; null without any. */
export function dailyWinRate(series: readonly DailyPoint[]): number | null {
  const decided = decidedDays(series);
  return winRate({ wins: decided.filter((point) => point.pnlMicro > 0n).length, decided: decided.length });
}

/** Streaks of decided days with the same sign. Undecided or unrecorded days do not end a streak. */
export function dayStreaks(series: readonly DailyPoint[]): DayStreaks {
  let current = 0;
  let longestWin = 0;
  let longestLoss = 0;
  for (const { pnlMicro } of decidedDays(series)) {
    current = pnlMicro > 0n ? Math.max(0, current) + 1 : Math.min(0, current) - 1;
    longestWin = Math.max(longestWin, current);
    longestLoss = Math.max(longestLoss, -current);
  }
  return { current, longestWin, longestLoss };
}
