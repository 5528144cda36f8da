import type { DailyPoint } from "./daily-series.ts";

export interface DrawdownPoint {
  readonly day: string;
  readonly cumulativeMicro: bigint;
  /** How far the curve is below its highest point so far; 0 or negative. */
  readonly drawdownMicro: bigint;
}

export interface DrawdownSpan {
  /** 0 or negative. */
  readonly amountMicro: bigint;
  /** Day of the preceding high. Null when that is the start, before the first recorded day. */
  readonly peakDay: string | null;
  /** Day of the low; for the current drawdown the last recorded day. Null without a drawdown. */
  readonly troughDay: string | null;
  /**
   * Percent of the high that was lost, 0 or negative; below -100 when more was lost. Null when the high is 0.
   */
  readonly percentOfPeak: number | null;
}

/**
 * The curve's distance from its own high, day by day. The curve starts at 0, so a losing first day is a
 * drawdown.
 */
export function drawdownCurve(series: readonly DailyPoint[]): readonly DrawdownPoint[] {
  let high = 0n;
  return series.map(({ day, cumulativeMicro }) => {
    if (cumulativeMicro > high) high = cumulativeMicro;
    return { day, cumulativeMicro, drawdownMicro: cumulativeMicro - high };
  });
}

/**
 * The deepest fall of cumulative P&L from an earlier high (the first of equal ones), and the current
 * drawdown.
 *
 * Source: maximum drawdown, Magdon-Ismail and Atiya (2004), on dollars instead of a fund's value.
 */
export function drawdowns(series: readonly DailyPoint[]): {
  readonly deepest: DrawdownSpan;
  readonly current: DrawdownSpan;
} {
  let high: { day: string | null; micro: bigint } = { day: null, micro: 0n };
  let deepest = NO_DRAWDOWN;
  let current = NO_DRAWDOWN;
  for (const { day, cumulativeMicro } of series) {
    if (cumulativeMicro > high.micro) high = { day, micro: cumulativeMicro };
    const amountMicro = cumulativeMicro - high.micro;
    current =
      amountMicro === 0n
        ? NO_DRAWDOWN
        : { amountMicro, peakDay: high.day, troughDay: day, percentOfPeak: percent(amountMicro, high.micro) };
    if (amountMicro < deepest.amountMicro) deepest = current;
  }
  return { deepest, current };
}

const NO_DRAWDOWN: DrawdownSpan = { amountMicro: 0n, peakDay: null, troughDay: null, percentOfPeak: null };

const percent = (part: bigint, whole: bigint): number | null =>
  whole === 0n ? null : (100 * Number(part)) / Number(whole);
