import { divideRounded } from "../../divide-rounded.ts";
import { dayNumber } from "./day-number.ts";
import type { DailyPoint } from "./daily-series.ts";

export interface DayResult {
  readonly day: string;
  readonly pnlMicro: bigint;
}

/** Statistics of a period of days. */
export interface PeriodStats {
  /** Cumulative P&L over the whole history, at the end of the period. */
  readonly currentMicro: bigint;
  /** Cumulative P&L just before the period: the base of a chart of the period alone. */
  readonly rebaseAnchorMicro: bigint;
  /** `currentMicro` minus `rebaseAnchorMicro`. */
  readonly changeMicro: bigint;
  /** Percent of the anchor's absolute value (25 is a quarter more). Null when the anchor is 0. */
  readonly changePct: number | null;
  /** The best and the worst daily result, the earlier of equal ones. Null without recorded days. */
  readonly bestDay: DayResult | null;
  readonly worstDay: DayResult | null;
  /** Days with a profit, and days with a loss. */
  readonly winDays: number;
  readonly lossDays: number;
  /** `changeMicro` divided by the recorded days, rounded to the micro-dollar. Null without recorded days. */
  readonly averageDayMicro: bigint | null;
}

/**
 * Statistics of the `days` UTC days that end with `asOf`, or of all days up to it.
 *
 * @param days length of the period; null for the whole history
 * Source: our own design, version 1; names from the contract.
 */
export function periodStats(series: readonly DailyPoint[], asOf: string, days: number | null): PeriodStats {
  const last = dayNumber(asOf);
  const first = days === null ? Number.NEGATIVE_INFINITY : last - days + 1;
  const rebaseAnchorMicro = series.findLast((point) => point.dayNumber < first)?.cumulativeMicro ?? 0n;
  const inside = series.filter((point) => point.dayNumber >= first && point.dayNumber <= last);
  const currentMicro = inside.at(-1)?.cumulativeMicro ?? rebaseAnchorMicro;
  const changeMicro = currentMicro - rebaseAnchorMicro;
  return {
    currentMicro,
    rebaseAnchorMicro,
    changeMicro,
    changePct: rebaseAnchorMicro === 0n ? null : (100 * Number(changeMicro)) / Math.abs(Number(rebaseAnchorMicro)),
    bestDay: extreme(inside, (day, best) => day.pnlMicro > best.pnlMicro),
    worstDay: extreme(inside, (day, worst) => day.pnlMicro < worst.pnlMicro),
    winDays: inside.filter((point) => point.pnlMicro > 0n).length,
    lossDays: inside.filter((point) => point.pnlMicro < 0n).length,
    averageDayMicro: inside.length === 0 ? null : divideRounded(changeMicro, BigInt(inside.length)),
  };
}

function extreme(
  points: readonly DailyPoint[],
  isBetter: (day: DailyPoint, best: DailyPoint) => boolean,
): DayResult | null {
  let best: DailyPoint | undefined;
  for (const point of points) if (best === undefined || isBetter(point, best)) best = point;
  return best === undefined ? null : { day: best.day, pnlMicro: best.pnlMicro };
}
