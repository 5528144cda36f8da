import type { ClosingPopulation } from "./closing-population.ts";
import type { SkillEvidence } from "./evidence.ts";
import {
  MAX_LUCK_CORRELATION,
  MIN_CLOSE_CLUSTERS,
  MIN_CLOSE_INFORMATION,
  PARTS,
  SPREAD_TRUST_INFORMATION,
} from "./parameters.ts";
import type { RawEdge } from "./raw-edge.ts";

/** A trader's closing lines, before shrinkage. */
export interface ClosingEdge extends RawEdge {
  /** Of the luck in it and the luck in the trader's results. */
  readonly covariance: number;
}

/** Whether a trader's closing lines count. */
export const hasClosingLine = ({ closeClusters, closeInformation }: SkillEvidence): boolean =>
  closeClusters >= MIN_CLOSE_CLUSTERS && closeInformation >= MIN_CLOSE_INFORMATION * PARTS;

/**
 * How far a trader's prices were below the close, relative to price * (1 - price): the sum of z y / the sum of z u. Its
 * error, and what it shares with that of `raw`, combine the population's and the trader's own as in `rawEdge`.
 *
 * @returns null where the closing lines do not count
 */
export function closingEdge(evidence: SkillEvidence, raw: RawEdge, population: ClosingPopulation): ClosingEdge | null {
  if (!hasClosingLine(evidence)) return null;
  const { closeClusters: clusters, closeInformation: information, closeSquareInformation: square } = evidence;
  const value = evidence.closeEdge / information;
  const trust = information / (information + SPREAD_TRUST_INFORMATION * PARTS);
  const combine = (dispersion: number, own: number) =>
    (1 - trust) * dispersion * square + (trust * own * clusters) / (clusters - 1);
  const squares = combine(population.dispersion, closingDeviations(evidence, value));
  const squaredError = (Math.max(1, squares) * PARTS) / information ** 2;
  const products = combine(population.crossDispersion, crossDeviations(evidence, raw.value, value));
  const most = MAX_LUCK_CORRELATION * Math.sqrt(raw.squaredError * squaredError);
  const covariance = ((products / evidence.information) * PARTS) / information;
  return { value, squaredError, covariance: Math.min(most, Math.max(-most, covariance)) };
}

/** Sum of (z y - mean z u)² over clusters, in PARTS. */
export function closingDeviations(evidence: SkillEvidence, mean: number): number {
  const { closeEdgeEdge, closeEdgeVariance, closeVarianceVariance } = evidence;
  return Math.max(0, closeEdgeEdge - 2 * mean * closeEdgeVariance + mean * mean * closeVarianceVariance);
}

/** Sum of (w x - mean w v) (z y - closeMean z u) over clusters, in PARTS. */
export function crossDeviations(evidence: SkillEvidence, mean: number, closeMean: number): number {
  const { crossEdgeEdge, crossEdgeVariance, crossVarianceEdge, crossVarianceVariance } = evidence;
  return (
    crossEdgeEdge - closeMean * crossEdgeVariance - mean * crossVarianceEdge + mean * closeMean * crossVarianceVariance
  );
}
