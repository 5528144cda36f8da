import type { SkillEvidence } from "./evidence.ts";
import { PARTS, SPREAD_TRUST_INFORMATION } from "./parameters.ts";

/** A wallet's own record alone, before it is shrunk. */
export interface RawEdge {
  /** Relative edge: sum of w x / sum of w v. 0.04 is one point at a price of 0.50, where price * (1 - price) is 0.25. */
  readonly value: number;
  /** Its squared standard error, above 0. */
  readonly squaredError: number;
}

/**
 * How much more often a wallet's side won than the price implied, relative to what the price left open.
 *
 * A wallet that sees the odds of its bets better by a factor exp(d) wins about d * price * (1 - price) more often than the price says. The
 * value is the first step of the likelihood toward d: a favourite at 0.98 that wins says little, and a lottery ticket that loses says little.
 *
 * The error blends two answers to "how far could this sum be off by luck". The prices' own: sum of w² v, times how much the population's
 * clusters really vary compared with that. And the wallet's own: its clusters' squared deviations, corrected for their number. The second
 * sees hedges and crowded bets, but is blind while rare losses have not come yet; its share grows with information.
 *
 * @param dispersion of the population, above 0 (see `SkillPopulation`)
 * @returns null while nothing is known: no cluster, or only bets at 0 or 1
 * Source: score test of a logistic offset (Rao 1948); cluster-robust sum of squares (Liang and Zeger 1986); the blend is our own, version 1.
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

/** Sum of (w x - mean w v)² over clusters, in PARTS. Rounding may leave a little below zero, which is zero. */
export function squaredDeviations({ edgeEdge, edgeVariance, varianceVariance }: SkillEvidence, mean: number): number {
  return Math.max(0, edgeEdge - 2 * mean * edgeVariance + mean * mean * varianceVariance);
}
