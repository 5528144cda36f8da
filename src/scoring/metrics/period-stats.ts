import { divideRounded } from "../divide-rounded.ts";
import { dayNumber } from "./day-number.ts";
import type { DailyPoint } from "./daily-series.ts";

export interface DayResult {
  readonly day: string;
  readonly pnlMicro: bigint;
}

/** What a stretch of days came to. */
export interface PeriodStats {
  /** Cumulative P&L at the end of the stretch, over the whole history. */
  readonly currentMicro: bigint;
  /** Cumulative P&L just before the stretch: what a chart of it alone would start from. */
  readonly rebaseAnchorMicro: bigint;
  /** `currentMicro` less `rebaseAnchorMicro`. */
  readonly changeMicro: bigint;
  /** Percent of the anchor's magnitude (25 is a quarter more). Null when the anchor is 0: nothing is no base for a percentage. */
  readonly changePct: number | null;
  /** The highest and the lowest result of a day, the earlier of equal ones. Null without recorded days. */
  readonly bestDay: DayResult | null;
  readonly worstDay: DayResult | null;
  /** Days with a profit, and with a loss. */
  readonly winDays: number;
  readonly lossDays: number;
  /** `changeMicro` over the recorded days, rounded to the micro-dollar. Null without recorded days. */
  readonly averageDayMicro: bigint | null;
}

/**
 * Statistics of the `days` UTC days that end with `asOf`, or of all days up to it.
 *
 * @param days length of the stretch; null for the whole history
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

function extreme(points: readonly DailyPoint[], beats: (day: DailyPoint, champion: DailyPoint) => boolean): DayResult | null {
  let champion: DailyPoint | undefined;
  for (const point of points) if (champion === undefined || beats(point, champion)) champion = point;
  return champion === undefined ? null : { day: champion.day, pnlMicro: champion.pnlMicro };
}
