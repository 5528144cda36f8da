import type { SkillEvidence } from "./evidence.ts";
import type { SkillPopulation } from "./population.ts";
import { rawEdge } from "./raw-edge.ts";

/** What is believed of a wallet's skill at a date. Points are hundredths of a dollar per share: won minus price paid. */
export interface SkillEstimate {
  /** The wallet's own record alone, in points per bet at its usual prices; null when it has none. */
  readonly rawPoints: number | null;
  /** Shrunken: what its next bet is expected to win more often than the price says. */
  readonly expectedPoints: number;
  /** Standard deviation of that expectation, above 0. */
  readonly deviationPoints: number;
  /** How much of the expectation is the wallet's own record, 0 to 1; the rest is the population's. */
  readonly ownShare: number;
}

/**
 * Shrinks a wallet's record toward the population, by how sure each of them is.
 *
 * Without evidence it is the population's mean and variance; with endless evidence the raw edge. Turned into points with the wallet's usual
 * price * (1 - price).
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
    rawPoints: raw === null ? null : inPoints(raw.value * usualVariance),
    expectedPoints: inPoints(mean * usualVariance),
    deviationPoints: 100 * Math.sqrt(1 / precision) * usualVariance,
    ownShare: ownPrecision / precision,
  };
}

/** Adding zero turns a negative zero into zero. */
const inPoints = (edge: number): number => 100 * edge + 0;
