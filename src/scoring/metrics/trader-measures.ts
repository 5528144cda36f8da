import { concentration } from "./concentration.ts";
import { dailyReturns } from "./series/daily-returns.ts";
import { toDailySeries, type TraderDay } from "./series/daily-series.ts";
import { dayNumber } from "./series/day-number.ts";
import { edgeConsistency } from "./edge-consistency.ts";
import { equitySmoothness } from "./series/equity-smoothness.ts";
import { kellyEstimate } from "./kelly.ts";
import { SHARPE_30D_MIN_DAYS, SHARPE_7D_MIN_DAYS } from "./parameters.ts";
import { profitFactor } from "./series/profit-factor.ts";
import { isEdgeInconsistent } from "./record-halves.ts";
import type { SettledMarket } from "./settled-market.ts";
import { sharpeRatio } from "./series/sharpe-ratio.ts";

/** Measures from a trader's own history, before the comparison with others. Null is too little history. */
export interface TraderMeasures {
  readonly sharpe30d: number | null;
  readonly sharpe7d: number | null;
  readonly profitFactor: number | null;
  readonly edgeConsistency: number | null;
  /** All realized P&L divided by the highest capital at work on one day (0.5 is 50 %). */
  readonly returnOnCapital: number | null;
  /** 0 to 1. */
  readonly equitySmoothness: number | null;
  /** 0 to 1. */
  readonly concentration: number | null;
  readonly settledMarkets: number;
  /** Mean cost of a settled market divided by the highest capital at work on one day. */
  readonly meanStake: number | null;
  /** 0 to 1, see `kellyEstimate`. */
  readonly kelly: number | null;
  /**
   * The largest loss in one settled market divided by the highest capital at work on one day; 0 without a
   * loss.
   */
  readonly worstLoss: number | null;
  readonly isInconsistent: boolean | null;
}

/**
 * Computes all measures of a trader.
 *
 * @param days all recorded days, in any order; days after `asOf` are ignored
 * @param settled all markets settled by `asOf`, in any order
 * @param asOf YYYY-MM-DD, the last UTC day included
 */
export function measureTrader(
  days: readonly TraderDay[],
  settled: readonly SettledMarket[],
  asOf: string,
): TraderMeasures {
  const last = dayNumber(asOf);
  const series = toDailySeries(days).filter((point) => point.dayNumber <= last);
  const peak = series.reduce(
    (highest, point) => (point.capitalMicro !== null && point.capitalMicro > highest ? point.capitalMicro : highest),
    0n,
  );
  const overPeak = (micro: bigint): number | null => (peak === 0n ? null : Number(micro) / Number(peak));
  const worst = settled.reduce((lowest, market) => (market.pnlMicro < lowest ? market.pnlMicro : lowest), 0n);
  const paid = settled.reduce((sum, market) => sum + market.costMicro, 0n);
  const paidOverPeak = overPeak(paid);
  return {
    sharpe30d: sharpeRatio(dailyReturns(series, asOf, 30), SHARPE_30D_MIN_DAYS),
    sharpe7d: sharpeRatio(dailyReturns(series, asOf, 7), SHARPE_7D_MIN_DAYS),
    profitFactor: profitFactor(settled),
    edgeConsistency: edgeConsistency(series),
    returnOnCapital: overPeak(series.at(-1)?.cumulativeMicro ?? 0n),
    equitySmoothness: equitySmoothness(series, asOf),
    concentration: concentration(settled),
    settledMarkets: settled.length,
    meanStake: paidOverPeak === null || settled.length === 0 ? null : paidOverPeak / settled.length,
    kelly: kellyEstimate(settled),
    worstLoss: overPeak(-worst),
    isInconsistent: isEdgeInconsistent(settled),
  };
}
