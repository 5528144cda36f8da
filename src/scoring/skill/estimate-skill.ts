import type { SkillEvidence } from "./evidence.ts";
import type { SkillPopulation } from "./population.ts";
import { rawEdge } from "./raw-edge.ts";

/**
 * The posterior estimate of a trader's skill at a date. Points are hundredths of a dollar per share: payout
 * minus price paid.
 */
export interface SkillEstimate {
  /** The trader's own record alone, in points per bet at its usual prices; null without a record. */
  readonly rawPoints: number | null;
  /** The posterior mean: how much more often than its price the next bet is expected to win. */
  readonly expectedPoints: number;
  /** Posterior standard deviation, above 0. */
  readonly deviationPoints: number;
  /** The weight of the trader's own record in the expectation, 0 to 1; the rest is the population's. */
  readonly ownShare: number;
}

/**
 * Shrinks a trader's record toward the population, weighted by precision.
 *
 * Without evidence the result is the population's mean and variance; with unlimited evidence, the raw edge.
 * It is converted to points with the trader's usual price * (1 - price).
 *
 * Source: normal-normal empirical Bayes (Efron and Morris 1975).
 */
export function estimateSkill(evidence: SkillEvidence, population: SkillPopulation): SkillEstimate {
  const raw = rawEdge(evidence, population.dispersion);
  const priorPrecision = 1 / population.variance;
  const ownPrecision = raw === null ? 0 : 1 / raw.squaredError;
  const precision = priorPrecision + ownPrecision;
  const mean = (priorPrecision * population.mean + ownPrecision * (raw?.value ?? 0)) / precision;
  const usualVariance = raw === null ? population.typicalVariance : evidence.information / evidence.weight;
  return {
    rawPoints: raw === null ? null : toPoints(raw.value * usualVariance),
    expectedPoints: toPoints(mean * usualVariance),
    deviationPoints: 100 * Math.sqrt(1 / precision) * usualVariance,
    ownShare: ownPrecision / precision,
  };
}

/** Adding zero turns a negative zero into zero. */
const toPoints = (edge: number): number => 100 * edge + 0;
