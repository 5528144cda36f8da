import type { SkillEvidence } from "./evidence.ts";
import { PARTS, SPREAD_TRUST_INFORMATION } from "./parameters.ts";
import { pairsInParts } from "./story-sums.ts";

/** A trader's own record, before shrinkage. */
export interface RawEdge {
  /**
   * Relative edge: sum of w x / sum of w v. 0.04 is one point at a price of 0.50, where price * (1 - price)
   * is 0.25.
   */
  readonly value: number;
  /** Its squared standard error, above 0. */
  readonly squaredError: number;
}

/**
 * How much more often a trader's side won than the price implied, relative to price * (1 - price).
 *
 * A trader that knows the odds of its bets better by a factor exp(d) wins about d * price * (1 - price) more
 * often than the price implies. The value is the first step of the likelihood toward d: a favourite at 0.98
 * that wins adds little information, and so does a lottery ticket that loses.
 *
 * The error combines two estimates of the luck in this sum. First, the one implied by prices: sum of w² v,
 * times the population's dispersion. Second, the trader's own: its clusters' squared deviations, corrected
 * for their number. The second captures hedges and correlated bets, but it underestimates while rare losses
 * have not occurred yet; its weight grows with information.
 *
 * Both treat clusters as independent. Those of one story may not be, so the error grows by the design effect.
 *
 * @param population its dispersion, above 0, and story correlation, 0 to 1 (see `SkillPopulation`)
 * @returns null when nothing is known: no cluster, or only bets at 0 or 1
 * Source: score test of a logistic offset (Rao 1948); cluster-robust sum of squares (Liang and Zeger 1986);
 *   the combination is our own, version 1.
 */
export function rawEdge(
  evidence: SkillEvidence,
  population: { readonly dispersion: number; readonly storyCorrelation: number },
): RawEdge | null {
  const { clusters, information } = evidence;
  if (clusters === 0 || information <= 0) return null;
  const value = evidence.edge / information;
  const trust = clusters < 2 ? 0 : information / (information + SPREAD_TRUST_INFORMATION * PARTS);
  const own = clusters < 2 ? 0 : (squaredDeviations(evidence, value) * clusters) / (clusters - 1);
  const squares = (1 - trust) * population.dispersion * evidence.squareInformation + trust * own;
  const effect = designEffect(evidence, population.storyCorrelation);
  return { value, squaredError: (Math.max(1, squares) * effect * PARTS) / information ** 2 };
}

/**
 * How much larger the squared error of a sum over clusters is than if all were independent: 1 + (n - 1) correlation for
 * n equal clusters of one story, 1 where no two share one.
 *
 * Source: Kish (1965), with each cluster's deviation as its prices imply it in the place of equal ones.
 */
export const designEffect = ({ squareInformation, storyInformation }: SkillEvidence, correlation: number): number =>
  squareInformation === 0 ? 1 : 1 + (correlation * pairsInParts(storyInformation)) / squareInformation;

/**
 * Sum of (w x - mean w v)² over clusters, in PARTS. Rounding may leave a value slightly below zero, which
 * counts as zero.
 */
export function squaredDeviations({ edgeEdge, edgeVariance, varianceVariance }: SkillEvidence, mean: number): number {
  return Math.max(0, edgeEdge - 2 * mean * edgeVariance + mean * mean * varianceVariance);
}
