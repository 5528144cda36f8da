import { concentration } from "./concentration.ts";
import { dailyReturns } from "./daily-returns.ts";
import { toDailySeries, type WalletDay } from "./daily-series.ts";
import { dayNumber } from "./day-number.ts";
import { edgeConsistency } from "./edge-consistency.ts";
import { equitySmoothness } from "./equity-smoothness.ts";
import { kellyEstimate } from "./kelly.ts";
import { SHARPE_30D_MIN_DAYS, SHARPE_7D_MIN_DAYS } from "./parameters.ts";
import { profitFactor } from "./profit-factor.ts";
import { isEdgeInconsistent } from "./record-halves.ts";
import type { SettledMarket } from "./settled-market.ts";
import { sharpeRatio } from "./sharpe-ratio.ts";

/** What a wallet's own history says, before it is compared with others. Null is too little history. */
export interface WalletMeasures {
  readonly sharpe30d: number | null;
  readonly sharpe7d: number | null;
  readonly profitFactor: number | null;
  readonly edgeConsistency: number | null;
  /** All realized P&L over the most capital at work on one day (0.5 is 50 %). */
  readonly returnOnCapital: number | null;
  /** 0 to 1. */
  readonly equitySmoothness: number | null;
  /** 0 to 1. */
  readonly concentration: number | null;
  readonly settledMarkets: number;
  /** Mean cost of a settled market over the most capital at work on one day. */
  readonly meanStake: number | null;
  /** 0 to 1, see `kellyEstimate`. */
  readonly kelly: number | null;
  /** The largest loss in one settled market over the most capital at work on one day; 0 when none lost. */
  readonly worstLoss: number | null;
  readonly isInconsistent: boolean | null;
}

/**
 * @param days everything recorded, in any order; what lies after `asOf` is left out
 * @param settled every market settled by `asOf`, in any order
 * @param asOf YYYY-MM-DD, the last UTC day counted
 */
export function measureWallet(days: readonly WalletDay[], settled: readonly SettledMarket[], asOf: string): WalletMeasures {
  const last = dayNumber(asOf);
  const series = toDailySeries(days).filter((point) => point.dayNumber <= last);
  const peak = series.reduce((most, point) => (point.capitalMicro !== null && point.capitalMicro > most ? point.capitalMicro : most), 0n);
  const overPeak = (micro: bigint): number | null => (peak === 0n ? null : Number(micro) / Number(peak));
  const worst = settled.reduce((least, market) => (market.pnlMicro < least ? market.pnlMicro : least), 0n);
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
