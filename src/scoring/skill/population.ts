import type { SkillEvidence } from "./evidence.ts";
import {
  MIN_CLUSTERS,
  MIN_INFORMATION,
  MIN_POPULATION,
  PARTS,
  POPULATION_DECIMALS,
  PRIOR_MEAN,
  PRIOR_MEAN_DEVIATION,
  PRIOR_STORY_CORRELATION,
  PRIOR_STORY_CORRELATION_DEVIATION,
  PRIOR_VARIANCE,
  PRIOR_VARIANCE_DEVIATION,
} from "./parameters.ts";
import { estimateClosing, type ClosingPopulation } from "./closing-population.ts";
import { designEffect, squaredDeviations } from "./raw-edge.ts";
import { pairsInParts } from "./story-sums.ts";
import { shrinkToward, significanceOf, sumOf, weightedMean, type WeightedTerm } from "./weighted-terms.ts";

/** The distribution of skill toward which traders are shrunk: a dated, stored input of every grade. */
export interface SkillPopulation {
  /** Number of traders in the estimate. */
  readonly traders: number;
  /** Mean relative edge (see `rawEdge`), shrunk toward PRIOR_MEAN. */
  readonly mean: number;
  /** Variance of true relative edge between traders, shrunk toward PRIOR_VARIANCE, above 0. */
  readonly variance: number;
  /**
   * Observed variance of clusters relative to the variance that their prices imply for a single bet: below 1
   * where traders hedge and diversify. Above 0.
   */
  readonly dispersion: number;
  /**
   * Correlation of the luck of two clusters of one story, 0 to 1: 0 where events of one series and night do not depend
   * on each other, 1 where they are one observation.
   */
  readonly storyCorrelation: number;
  /**
   * Mean of price * (1 - price) over all clusters: converts the relative edge of a trader without evidence to
   * points.
   */
  readonly typicalVariance: number;
  /** How many standard errors the variance is above that of equal traders, by results (`significanceOf`). */
  readonly significance: number;
  /** How closing lines go with skill; null while too few traders have any. */
  readonly closing: ClosingPopulation | null;
}

/** The minimum variance, at which all traders count as equal; it keeps every later division finite. */
const MIN_VARIANCE = 10 ** -POPULATION_DECIMALS;
const MAX_ITERATIONS = 50;

/** Whether a trader has enough settled bets to be graded and to be part of the population. */
export const isEnoughEvidence = ({ clusters, information }: SkillEvidence): boolean =>
  clusters >= MIN_CLUSTERS && information >= MIN_INFORMATION * PARTS;

/** Whether a population shows that its traders differ in skill: by their results, or by these with their closing lines. */
export const skillSignificance = ({ significance, closing }: SkillPopulation): number =>
  Math.max(significance, closing?.significance ?? significance);

/**
 * Estimates mean and variance of true skill between traders. Two clusters of one trader in different stories share its
 * skill but not its luck. So the variance is the mean product of deviations over all such pairs of one trader, and needs
 * no model of luck. Pair sums come from sums: the square of a trader's total minus its stories' own squares. Two clusters
 * of one story may share luck too: the story correlation is their mean product, less that of skill, relative to the
 * variance that prices imply. Active traders are more informative; mean, variance and the weights that follow from
 * them are computed iteratively.
 *
 * Both are shrunk toward the prior according to their uncertainty. A few hundred traders do not determine how
 * much traders differ: a few skilled ones among them produce a variance that would take the luck of all
 * others for skill, and a mean shifted by the luck of a few events would move every letter.
 *
 * @param evidences of all traders at one date, in any order; those below the evidence minimums are ignored
 * @returns null with fewer than MIN_POPULATION traders above the minimums
 * Source: leave-out variance component (Kline, Saggio and Sølvsten 2020), with inverse-variance weights;
 *   errors of weighted means over traders (Eicker 1967); normal priors, our own, version 2.
 * Error: rounded to six decimals.
 */
export function estimatePopulation(evidences: Iterable<SkillEvidence>): SkillPopulation | null {
  const eligible = [...evidences].filter(isEnoughEvidence);
  if (eligible.length < MIN_POPULATION) return null;
  // The sum of floats depends on their order; a fixed order makes the result reproducible.
  eligible.sort(
    (a, b) =>
      a.information - b.information ||
      a.edge - b.edge ||
      a.edgeEdge - b.edgeEdge ||
      a.closeEdge - b.closeEdge ||
      a.storyEdgeEdge - b.storyEdgeEdge,
  );
  const total = sumOf(eligible, ({ information }) => information);
  let mean = sumOf(eligible, ({ edge }) => edge) / total;
  // Must not start at zero: with zero variance the most active trader outweighs all others, and the iteration
  // stays there.
  let variance = PRIOR_VARIANCE;
  let storyCorrelation = PRIOR_STORY_CORRELATION;
  const deviations = sumOf(eligible, (evidence) => squaredDeviations(evidence, mean));
  const dispersion = Math.max(
    MIN_VARIANCE,
    deviations /
      Math.max(
        1,
        sumOf(eligible, (evidence) => evidence.squareInformation),
      ),
  );
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration += 1) {
    const next = iterate(eligible, { mean, variance, dispersion, storyCorrelation });
    const moved =
      Math.abs(next.mean - mean) +
      Math.abs(next.variance - variance) +
      Math.abs(next.storyCorrelation - storyCorrelation);
    ({ mean, variance, storyCorrelation } = next);
    if (moved < MIN_VARIANCE / 100) break;
  }
  const skill = {
    mean: toDecimals(mean),
    variance: Math.max(MIN_VARIANCE, toDecimals(variance)),
    dispersion: Math.max(MIN_VARIANCE, toDecimals(dispersion)),
    storyCorrelation: toDecimals(storyCorrelation),
  };
  return {
    traders: eligible.length,
    ...skill,
    significance: significanceOf(eligible, (evidence) => pairTerm(evidence, skill)),
    closing: estimateClosing(eligible, skill),
    typicalVariance: toDecimals(total / sumOf(eligible, ({ weight }) => weight)),
  };
}

type Moments = Pick<SkillPopulation, "mean" | "variance" | "dispersion" | "storyCorrelation">;

/** One iteration: weights from the last moments, then the moments from the weights. */
function iterate(eligible: readonly SkillEvidence[], last: Moments) {
  const pairs = (evidence: SkillEvidence) => pairTerm(evidence, last);
  // Not the one that is shrunk toward the prior: what skill explains would be taken for story correlation.
  const variance = Math.max(0, weightedMean(eligible, pairs)?.mean ?? last.variance);
  const stories = (evidence: SkillEvidence) => storyTerm(evidence, { ...last, variance });
  return {
    mean: shrinkToward(PRIOR_MEAN, PRIOR_MEAN_DEVIATION, eligible, (evidence) => meanTerm(evidence, last)),
    variance: Math.max(0, shrinkToward(PRIOR_VARIANCE, PRIOR_VARIANCE_DEVIATION, eligible, pairs)),
    storyCorrelation: Math.min(
      1,
      Math.max(0, shrinkToward(PRIOR_STORY_CORRELATION, PRIOR_STORY_CORRELATION_DEVIATION, eligible, stories)),
    ),
  };
}

/** One trader's own edge. */
function meanTerm(evidence: SkillEvidence, last: Moments): WeightedTerm {
  const weight = weightOf(evidence, last);
  return { weight, sum: (weight * evidence.edge) / evidence.information };
}

function weightOf(evidence: SkillEvidence, { variance, dispersion, storyCorrelation }: Moments): number {
  const { information, squareInformation } = evidence;
  // Squared error of the trader's own edge if its luck were as its prices imply.
  const luck = (dispersion * squareInformation * designEffect(evidence, storyCorrelation) * PARTS) / information ** 2;
  return 1 / (variance + luck);
}

/** The pairs of one trader's clusters of different stories. */
function pairTerm(evidence: SkillEvidence, last: Moments): WeightedTerm {
  const { information, varianceVariance, storyVarianceVariance } = evidence;
  const weight = ((weightOf(evidence, last) * PARTS) / information) ** 2;
  return {
    weight: weight * (squareInParts(information) - varianceVariance - pairsInParts(storyVarianceVariance)),
    sum: weight * (pairProducts(evidence, last.mean) - storyProducts(evidence, last.mean)),
  };
}

/**
 * The pairs of one trader's clusters of one story. Relative to what its record would vary by if they moved as one, so that
 * no trader counts more than once: the pairs of a trader in five-minute markets outnumber those of all others.
 */
function storyTerm(evidence: SkillEvidence, { mean, variance, dispersion }: Moments): WeightedTerm {
  const information = pairsInParts(evidence.storyInformation);
  if (information === 0) return { weight: 0, sum: 0 };
  const scale = 1 / (evidence.squareInformation + information);
  const skill = variance * pairsInParts(evidence.storyVarianceVariance);
  return { weight: scale * dispersion * information, sum: scale * (storyProducts(evidence, mean) - skill) };
}

/** Sum over pairs of different clusters of one story of the product of their deviations, in PARTS. */
const storyProducts = (evidence: SkillEvidence, mean: number): number =>
  pairsInParts(
    evidence.storyEdgeEdge - 2 * mean * evidence.storyEdgeVariance + mean * mean * evidence.storyVarianceVariance,
  );

/** Sum over pairs of different clusters of the product of their deviations, in PARTS. */
const pairProducts = (evidence: SkillEvidence, mean: number): number =>
  squareInParts(evidence.edge - mean * evidence.information) - squaredDeviations(evidence, mean);

/** The square of a value in PARTS, in PARTS. */
const squareInParts = (value: number): number => (value / PARTS) * value;

const toDecimals = (value: number): number =>
  Math.round(value * 10 ** POPULATION_DECIMALS) / 10 ** POPULATION_DECIMALS + 0;
