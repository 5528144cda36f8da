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
    significance: significanceOf(pairTerms(known, skill, { mean, variance, dispersion }).covariances),
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

function iterate(known: readonly SkillEvidence[], skill: SkillMoments, last: Moments) {
  const { means, variances, covariances } = pairTerms(known, skill, last);
  return {
    mean: shrinkToward(PRIOR_CLOSE_MEAN, PRIOR_CLOSE_MEAN_DEVIATION, means),
    variance: Math.max(MIN_VARIANCE, shrinkToward(PRIOR_CLOSE_VARIANCE, PRIOR_CLOSE_VARIANCE_DEVIATION, variances)),
    covariance: shrinkToward(PRIOR_CLOSE_COVARIANCE, PRIOR_CLOSE_COVARIANCE_DEVIATION, covariances),
  };
}

function pairTerms(known: readonly SkillEvidence[], skill: SkillMoments, last: Moments) {
  const means: WeightedTerm[] = [];
  const variances: WeightedTerm[] = [];
  const covariances: WeightedTerm[] = [];
  for (const evidence of known) {
    const { edge, information, squareInformation, closeEdge, closeInformation, closeSquareInformation } = evidence;
    const luck = skill.dispersion * squareInformation * designEffect(evidence, skill.storyCorrelation);
    const weight = 1 / (skill.variance + (luck * PARTS) / information ** 2);
    const own = 1 / (last.variance + (last.dispersion * closeSquareInformation * PARTS) / closeInformation ** 2);
    means.push({ weight: own, sum: (own * closeEdge) / closeInformation });
    const deviation = closeEdge - last.mean * closeInformation;
    variances.push(
      pairTerm(own / closeInformation, own / closeInformation, {
        products: (closeInformation / PARTS) * closeInformation - evidence.closeVarianceVariance,
        deviations: (deviation / PARTS) * deviation - closingDeviations(evidence, last.mean),
      }),
    );
    covariances.push(
      pairTerm(weight / information, own / closeInformation, {
        products: (information / PARTS) * closeInformation - evidence.crossVarianceVariance,
        deviations:
          ((edge - skill.mean * information) / PARTS) * deviation - crossDeviations(evidence, skill.mean, last.mean),
      }),
    );
  }
  return { means, variances, covariances };
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
