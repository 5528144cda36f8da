import {
  COPY_KELLY_MULTIPLE,
  COPY_MAX_LOSS,
  COPY_MIN_MARKETS,
  COPY_PENALTIES,
  FULL_RETURN_ON_CAPITAL,
  HIGH_CONCENTRATION,
  SMART_WEIGHTS,
} from "./parameters.ts";
import { percentileOf } from "./percentile.ts";
import type { TraderMeasures } from "./trader-measures.ts";

/** The measures of all traders that have them, each array ascending. */
export interface MetricPopulation {
  readonly sharpe30d: readonly number[];
  readonly profitFactor: readonly number[];
  readonly edgeConsistency: readonly number[];
}

/** The nine published figures. Null is too little history, never 0. */
export interface QuantMetrics {
  /** 0 to 100. */
  readonly smartScore: number | null;
  /** 0 to 100: the smart score's sum minus deductions for what makes a trader hard to copy. */
  readonly copyScore: number | null;
  readonly sharpe30d: number | null;
  readonly sharpe7d: number | null;
  /** 0 to 1000. */
  readonly profitFactor: number | null;
  /** 0 to 1. */
  readonly edgeConsistency: number | null;
  /** 0 to 100, of the 30-day Sharpe ratio. */
  readonly sharpePercentile: number | null;
  readonly profitFactorPercentile: number | null;
  readonly consistencyPercentile: number | null;
}

/**
 * A trader's nine quant metrics. A score is null when any of its parts is missing.
 *
 * Source: the two formulas of the contract, literally; `measureTrader` defines the measures they use.
 */
export function quantMetrics(measures: TraderMeasures, population: MetricPopulation): QuantMetrics {
  const sharpePercentile = percentileOf(measures.sharpe30d, population.sharpe30d);
  const profitFactorPercentile = percentileOf(measures.profitFactor, population.profitFactor);
  const consistencyPercentile = percentileOf(measures.edgeConsistency, population.edgeConsistency);
  const base = scoreBase(measures, sharpePercentile, profitFactorPercentile, consistencyPercentile);
  const penalty = copyPenalty(measures);
  return {
    smartScore: base === null ? null : toScore(base),
    copyScore: base === null || penalty === null ? null : toScore(base - penalty),
    sharpe30d: measures.sharpe30d,
    sharpe7d: measures.sharpe7d,
    profitFactor: measures.profitFactor,
    edgeConsistency: measures.edgeConsistency,
    sharpePercentile,
    profitFactorPercentile,
    consistencyPercentile,
  };
}

/** At most 100, without a lower bound: a loss of a multiple of the capital deducts many points. */
function scoreBase(
  { returnOnCapital, equitySmoothness, concentration }: TraderMeasures,
  sharpePct: number | null,
  profitFactorPct: number | null,
  consistencyPct: number | null,
): number | null {
  if (sharpePct === null || profitFactorPct === null || consistencyPct === null) return null;
  if (returnOnCapital === null || equitySmoothness === null || concentration === null) return null;
  return (
    (SMART_WEIGHTS.sharpe * sharpePct) / 100 +
    (SMART_WEIGHTS.profitFactor * profitFactorPct) / 100 +
    (SMART_WEIGHTS.consistency * consistencyPct) / 100 +
    SMART_WEIGHTS.returnOnCapital * Math.min(1, returnOnCapital / FULL_RETURN_ON_CAPITAL) +
    SMART_WEIGHTS.smoothness * equitySmoothness +
    SMART_WEIGHTS.spread * (1 - Math.min(1, concentration))
  );
}

/**
 * Deductions of the copy score, 0 to 70; null when a condition cannot be evaluated. A trader without an edge
 * (Kelly 0) exceeds every multiple of Kelly.
 */
function copyPenalty(measures: TraderMeasures): number | null {
  const { concentration, meanStake, kelly, worstLoss, isInconsistent } = measures;
  if (concentration === null || meanStake === null || kelly === null || worstLoss === null || isInconsistent === null)
    return null;
  return (
    (measures.settledMarkets < COPY_MIN_MARKETS ? COPY_PENALTIES.fewMarkets : 0) +
    (concentration > HIGH_CONCENTRATION ? COPY_PENALTIES.concentrated : 0) +
    (meanStake > COPY_KELLY_MULTIPLE * kelly ? COPY_PENALTIES.oversized : 0) +
    (worstLoss > COPY_MAX_LOSS ? COPY_PENALTIES.heavyLoss : 0) +
    (isInconsistent ? COPY_PENALTIES.inconsistent : 0)
  );
}

const toScore = (points: number): number => Math.min(100, Math.max(0, points)) + 0;
