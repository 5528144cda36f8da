import { closingDeviations, crossDeviations, hasClosingLine } from "./closing-edge.ts";
import type { SkillEvidence } from "./evidence.ts";
import {
  MAX_SKILL_CORRELATION,
  MIN_POPULATION,
  PARTS,
  POPULATION_DECIMALS,
  PRIOR_CLOSE_COVARIANCE,
  PRIOR_CLOSE_COVARIANCE_DEVIATION,
  PRIOR_CLOSE_MEAN,
  PRIOR_CLOSE_MEAN_DEVIATION,
  PRIOR_CLOSE_VARIANCE,
  PRIOR_CLOSE_VARIANCE_DEVIATION,
} from "./parameters.ts";
import { designEffect } from "./raw-edge.ts";
import { shrinkToward, significanceOf, sumOf, type WeightedTerm } from "./weighted-terms.ts";

/** The distribution of closing edge (`closingEdge`) in a population, and how it goes with skill. */
export interface ClosingPopulation {
  readonly mean: number;
  /** Between traders, above 0. */
  readonly variance: number;
  /**
   * With skill, between traders. It decides how much a closing line says about results: nothing at 0.
   */
  readonly covariance: number;
  /** How many standard errors the products of results and closing lines are above zero (`significanceOf`). */
  readonly significance: number;
  /** Observed variance of clusters' closing lines relative to that of a single bet's result. Above 0. */
  readonly dispersion: number;
  /** The same of the product of closing line and result. */
  readonly crossDispersion: number;
}

const MIN_VARIANCE = 10 ** -POPULATION_DECIMALS;
const MAX_ITERATIONS = 50;

/**
 * Estimates how closing lines differ between traders, and how they go with skill, from pairs of different clusters of one
 * trader, as `estimatePopulation` does for skill. The covariance is the mean product of the result of one cluster and the
 * closing line of another, so what one cluster's close and result share by luck is not part of it.
 *
 * @param eligible in a fixed order
 * @param skill of the same population
 * @returns null with fewer than MIN_POPULATION traders whose closing lines count
 * Source: as `estimatePopulation`; the bivariate form is that of Henderson (1975), our own estimate.
 */
export function estimateClosing(eligible: readonly SkillEvidence[], skill: SkillMoments): ClosingPopulation | null {
  const known = eligible.filter(hasClosingLine);
  if (known.length < MIN_POPULATION) return null;
  const squares = sumOf(known, ({ closeSquareInformation }) => closeSquareInformation);
  let mean = sumOf(known, ({ closeEdge }) => closeEdge) / sumOf(known, ({ closeInformation }) => closeInformation);
  const deviations = sumOf(known, (evidence) => closingDeviations(evidence, mean));
  const dispersion = Math.max(MIN_VARIANCE, toDecimals(deviations / squares));
  const crossDispersion = toDecimals(sumOf(known, (evidence) => crossDeviations(evidence, skill.mean, mean)) / squares);
  let variance = PRIOR_CLOSE_VARIANCE;
  let covariance = PRIOR_CLOSE_COVARIANCE;
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration += 1) {
    const next = iterate(known, skill, { mean, variance, dispersion });
    const moved = Math.abs(next.mean - mean) + Math.abs(next.variance - variance);
    ({ mean, variance, covariance } = next);
    if (moved < MIN_VARIANCE / 100) break;
  }
  variance = Math.max(MIN_VARIANCE, toDecimals(variance));
  const most = MAX_SKILL_CORRELATION * Math.sqrt(skill.variance * variance);
  return {
    mean: toDecimals(mean),
    variance,
    covariance: cutToDecimals(Math.min(most, Math.max(-most, covariance))),
    significance: significanceOf(known, (one) => covarianceTerm(one, skill, { mean, variance, dispersion })),
    dispersion,
    crossDispersion,
  };
}

interface Moments {
  readonly mean: number;
  readonly variance: number;
  readonly dispersion: number;
}

interface SkillMoments extends Moments {
  readonly storyCorrelation: number;
}

/** One iteration: weights from the last moments, then the moments from the weights. */
function iterate(known: readonly SkillEvidence[], skill: SkillMoments, last: Moments) {
  const shrink = (prior: number, priorDeviation: number, termOf: (evidence: SkillEvidence) => WeightedTerm) =>
    shrinkToward(prior, priorDeviation, known, termOf);
  const variance = shrink(PRIOR_CLOSE_VARIANCE, PRIOR_CLOSE_VARIANCE_DEVIATION, (one) => varianceTerm(one, last));
  return {
    mean: shrink(PRIOR_CLOSE_MEAN, PRIOR_CLOSE_MEAN_DEVIATION, (one) => meanTerm(one, last)),
    variance: Math.max(MIN_VARIANCE, variance),
    covariance: shrink(PRIOR_CLOSE_COVARIANCE, PRIOR_CLOSE_COVARIANCE_DEVIATION, (one) =>
      covarianceTerm(one, skill, last),
    ),
  };
}

/** The inverse squared error of the trader's own closing edge. */
const weightOf = ({ closeInformation, closeSquareInformation }: SkillEvidence, last: Moments): number =>
  1 / (last.variance + (last.dispersion * closeSquareInformation * PARTS) / closeInformation ** 2);

/** The trader's own closing edge. */
function meanTerm(evidence: SkillEvidence, last: Moments): WeightedTerm {
  const weight = weightOf(evidence, last);
  return { weight, sum: (weight * evidence.closeEdge) / evidence.closeInformation };
}

/** The pairs of one trader's closing lines. */
function varianceTerm(evidence: SkillEvidence, last: Moments): WeightedTerm {
  const { closeEdge, closeInformation, closeVarianceVariance } = evidence;
  const weight = weightOf(evidence, last) / closeInformation;
  const deviation = closeEdge - last.mean * closeInformation;
  return pairTerm(weight, weight, {
    products: (closeInformation / PARTS) * closeInformation - closeVarianceVariance,
    deviations: (deviation / PARTS) * deviation - closingDeviations(evidence, last.mean),
  });
}

/** The pairs of one trader's results and closing lines. */
function covarianceTerm(evidence: SkillEvidence, skill: SkillMoments, last: Moments): WeightedTerm {
  const { edge, information, squareInformation, closeEdge, closeInformation, crossVarianceVariance } = evidence;
  const luck = skill.dispersion * squareInformation * designEffect(evidence, skill.storyCorrelation);
  const weight = 1 / (skill.variance + (luck * PARTS) / information ** 2);
  const deviation = closeEdge - last.mean * closeInformation;
  return pairTerm(weight / information, weightOf(evidence, last) / closeInformation, {
    products: (information / PARTS) * closeInformation - crossVarianceVariance,
    deviations:
      ((edge - skill.mean * information) / PARTS) * deviation - crossDeviations(evidence, skill.mean, last.mean),
  });
}

/** The pairs of one trader: sums over pairs of different clusters, in PARTS. */
function pairTerm(
  left: number,
  right: number,
  { products, deviations }: { readonly products: number; readonly deviations: number },
): WeightedTerm {
  const weight = left * PARTS * (right * PARTS);
  return { weight: weight * products, sum: weight * deviations };
}

/** Adding zero turns a negative zero into zero. */
const toDecimals = (value: number): number =>
  Math.round(value * 10 ** POPULATION_DECIMALS) / 10 ** POPULATION_DECIMALS + 0;

/** Toward zero, so that a bound is not passed by rounding. */
const cutToDecimals = (value: number): number =>
  Math.trunc(value * 10 ** POPULATION_DECIMALS) / 10 ** POPULATION_DECIMALS + 0;
