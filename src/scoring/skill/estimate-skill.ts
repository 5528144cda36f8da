import type { SkillEvidence } from "./evidence.ts";
import type { SkillPopulation } from "./population.ts";
import { closingEdge, type ClosingEdge } from "./closing-edge.ts";
import type { ClosingPopulation } from "./closing-population.ts";
import { rawEdge, type RawEdge } from "./raw-edge.ts";

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
 * It is converted to points with the trader's usual price * (1 - price). Closing lines are a second observation, which
 * counts as far as the population's closing lines go with its results.
 *
 * Source: normal-normal empirical Bayes (Efron and Morris 1975); with closing lines the bivariate one, best linear
 *   unbiased prediction of a trait from a correlated one (Henderson 1975).
 */
export function estimateSkill(evidence: SkillEvidence, population: SkillPopulation): SkillEstimate {
  const raw = rawEdge(evidence, population);
  if (raw === null)
    return present(
      null,
      population,
      { mean: population.mean, variance: population.variance },
      population.typicalVariance,
    );
  const { closing } = population;
  const close = closing === null ? null : closingEdge(evidence, raw, closing);
  const posterior =
    closing === null || close === null
      ? posteriorOfResults(raw, population)
      : posteriorOfBoth(raw, close, { ...population, closing });
  return present(raw, population, posterior, evidence.information / evidence.weight);
}

interface Posterior {
  readonly mean: number;
  readonly variance: number;
}

function posteriorOfResults(raw: RawEdge, population: SkillPopulation): Posterior {
  const priorPrecision = 1 / population.variance;
  const ownPrecision = 1 / raw.squaredError;
  const precision = priorPrecision + ownPrecision;
  return {
    mean: (priorPrecision * population.mean + ownPrecision * raw.value) / precision,
    variance: 1 / precision,
  };
}

/** The product of two normal distributions of (skill, closing edge): the population's, and that of the trader's record. */
function posteriorOfBoth(
  raw: RawEdge,
  close: ClosingEdge,
  { mean, variance, closing }: SkillPopulation & { readonly closing: ClosingPopulation },
): Posterior {
  const prior = invert({ first: variance, both: closing.covariance, second: closing.variance });
  const own = invert({ first: raw.squaredError, both: close.covariance, second: close.squaredError });
  const posterior = invert({
    first: prior.first + own.first,
    both: prior.both + own.both,
    second: prior.second + own.second,
  });
  const weighted = (first: number, second: number, precision: Symmetric) => [
    precision.first * first + precision.both * second,
    precision.both * first + precision.second * second,
  ];
  const [priorFirst = 0, priorSecond = 0] = weighted(mean, closing.mean, prior);
  const [ownFirst = 0, ownSecond = 0] = weighted(raw.value, close.value, own);
  return {
    mean: posterior.first * (priorFirst + ownFirst) + posterior.both * (priorSecond + ownSecond),
    variance: posterior.first,
  };
}

/** A symmetric matrix of two rows. */
interface Symmetric {
  readonly first: number;
  readonly both: number;
  readonly second: number;
}

function invert({ first, both, second }: Symmetric): Symmetric {
  const determinant = first * second - both * both;
  return { first: second / determinant, both: -both / determinant, second: first / determinant };
}

const present = (
  raw: RawEdge | null,
  population: SkillPopulation,
  { mean, variance }: Posterior,
  usualVariance: number,
): SkillEstimate => ({
  rawPoints: raw === null ? null : toPoints(raw.value * usualVariance),
  expectedPoints: toPoints(mean * usualVariance),
  deviationPoints: 100 * Math.sqrt(variance) * usualVariance,
  // Rounding may leave a record without weight slightly below zero.
  ownShare: Math.max(0, 1 - variance / population.variance),
});

/** Adding zero turns a negative zero into zero. */
const toPoints = (edge: number): number => 100 * edge + 0;
