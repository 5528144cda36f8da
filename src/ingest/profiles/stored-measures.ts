import type { StoredMeasures, StoredMetrics } from "../../domain/traders/stored-profile.ts";
import { quantMetrics, type MetricPopulation } from "../../scoring/metrics/quant-metrics.ts";
import type { TraderMeasures } from "../../scoring/metrics/trader-measures.ts";

/** A trader's measures in stored form, so that it can be compared again without its history. */
export const storeMeasures = (measures: TraderMeasures): StoredMeasures => ({
  sharpe_30d: measures.sharpe30d,
  sharpe_7d: measures.sharpe7d,
  profit_factor: measures.profitFactor,
  edge_consistency: measures.edgeConsistency,
  return_on_capital: measures.returnOnCapital,
  equity_smoothness: measures.equitySmoothness,
  concentration: measures.concentration,
  settled_markets: measures.settledMarkets,
  mean_stake: measures.meanStake,
  kelly: measures.kelly,
  worst_loss: measures.worstLoss,
  is_inconsistent: measures.isInconsistent,
});

/** The nine metrics of stored measures, compared with a population. */
export function compareMeasures(stored: StoredMeasures, population: MetricPopulation): StoredMetrics {
  const metrics = quantMetrics(readMeasures(stored), population);
  return {
    smart_score: metrics.smartScore,
    copy_score: metrics.copyScore,
    sharpe_30d: metrics.sharpe30d,
    sharpe_7d: metrics.sharpe7d,
    profit_factor: metrics.profitFactor,
    edge_consistency: metrics.edgeConsistency,
    sharpe_percentile: metrics.sharpePercentile,
    pf_percentile: metrics.profitFactorPercentile,
    consistency_percentile: metrics.consistencyPercentile,
  };
}

const readMeasures = (stored: StoredMeasures): TraderMeasures => ({
  sharpe30d: stored.sharpe_30d,
  sharpe7d: stored.sharpe_7d,
  profitFactor: stored.profit_factor,
  edgeConsistency: stored.edge_consistency,
  returnOnCapital: stored.return_on_capital,
  equitySmoothness: stored.equity_smoothness,
  concentration: stored.concentration,
  settledMarkets: stored.settled_markets,
  meanStake: stored.mean_stake,
  kelly: stored.kelly,
  worstLoss: stored.worst_loss,
  isInconsistent: stored.is_inconsistent,
});
