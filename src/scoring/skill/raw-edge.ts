import type { SkillEvidence } from "./evidence.ts";
import { PARTS, SPREAD_TRUST_INFORMATION } from "./parameters.ts";

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
 * @param dispersion of the population, above 0 (see `SkillPopulation`)
 * @returns null when nothing is known: no cluster, or only bets at 0 or 1
 * Source: score test of a logistic offset (Rao 1948); cluster-robust sum of squares (Liang and Zeger 1986);
 *   the combination is our own, version 1.
 */
export function rawEdge(evidence: SkillEvidence, dispersion: number): RawEdge | null {
  const { clusters, information } = evidence;
  if (clusters === 0 || information <= 0) return null;
  const value = evidence.edge / information;
  const trust = clusters < 2 ? 0 : information / (information + SPREAD_TRUST_INFORMATION * PARTS);
  const own = clusters < 2 ? 0 : (squaredDeviations(evidence, value) * clusters) / (clusters - 1);
  const squares = (1 - trust) * dispersion * evidence.squareInformation + trust * own;
  return { value, squaredError: (Math.max(1, squares) * PARTS) / information ** 2 };
}

/**
 * Sum of (w x - mean w v)² over clusters, in PARTS. Rounding may leave a value slightly below zero, which
 * counts as zero.
 */
export function squaredDeviations({ edgeEdge, edgeVariance, varianceVariance }: SkillEvidence, mean: number): number {
  return Math.max(0, edgeEdge - 2 * mean * edgeVariance + mean * mean * varianceVariance);
}
