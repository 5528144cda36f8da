import type { SkillEvidence } from "./evidence.ts";
import {
  MIN_CLUSTERS,
  MIN_INFORMATION,
  MIN_POPULATION,
  PARTS,
  POPULATION_DECIMALS,
  PRIOR_MEAN,
  PRIOR_MEAN_DEVIATION,
  PRIOR_VARIANCE,
  PRIOR_VARIANCE_DEVIATION,
} from "./parameters.ts";
import { squaredDeviations } from "./raw-edge.ts";

/** The distribution of skill that a wallet is shrunk toward: a dated, stored input of every grade. */
export interface SkillPopulation {
  /** Wallets it was estimated from. */
  readonly wallets: number;
  /** Mean relative edge (see `rawEdge`), drawn toward PRIOR_MEAN. */
  readonly mean: number;
  /** Variance of true relative edge between wallets, drawn toward PRIOR_VARIANCE, above 0. */
  readonly variance: number;
  /** How much clusters vary, compared with what their prices say of a single bet: below 1 where wallets hedge and spread. Above 0. */
  readonly dispersion: number;
  /** Mean of price * (1 - price) over all clusters: turns the relative edge of a wallet without evidence into points. */
  readonly typicalVariance: number;
}

/** Below this variance all wallets are taken for alike; it keeps every later division finite. */
const LEAST = 10 ** -POPULATION_DECIMALS;
const MOST_ROUNDS = 50;

/** Whether a wallet has settled enough to be graded and to be counted in the population. */
export const isEnoughEvidence = ({ clusters, information }: SkillEvidence): boolean =>
  clusters >= MIN_CLUSTERS && information >= MIN_INFORMATION * PARTS;

/**
 * Mean and variance of true skill between wallets. Two clusters of one wallet share its skill and no luck: so the variance is the mean product
 * of deviations over all pairs of different clusters of one wallet, and needs no model of the luck. Pairs come from sums: the square of a
 * wallet's total less its clusters' own squares. Busy wallets tell more; mean, variance and the weights that follow from them are found in turn.
 *
 * Both are drawn toward what is believed beforehand by as much as they are uncertain. A few hundred wallets do not tell how far wallets differ:
 * a handful of skilled ones among them makes a variance that would take everybody else's luck for skill, and a mean that is off by the luck of
 * a few events would move every letter.
 *
 * @param evidences of all wallets at one date, in any order; those below the evidence minimums are left out
 * @returns null with fewer than MIN_POPULATION wallets above the minimums
 * Source: leave-out variance component (Kline, Saggio and Sølvsten 2020), with inverse-variance weights; errors of weighted means over wallets
 *   (Eicker 1967); normal priors, our own, version 2.
 * Error: rounded to six decimals.
 */
export function estimatePopulation(evidences: Iterable<SkillEvidence>): SkillPopulation | null {
  const known = [...evidences].filter(isEnoughEvidence);
  if (known.length < MIN_POPULATION) return null;
  // Floats add up differently in another order; a fixed order gives everybody the same figures.
  known.sort((a, b) => a.information - b.information || a.edge - b.edge || a.edgeEdge - b.edgeEdge);
  const total = sumOf(known, ({ information }) => information);
  let mean = sumOf(known, ({ edge }) => edge) / total;
  // From zero it could not leave: without variance the busiest wallet outweighs all others.
  let variance = PRIOR_VARIANCE;
  const deviations = sumOf(known, (one) => squaredDeviations(one, mean));
  const dispersion = Math.max(
    LEAST,
    deviations /
      Math.max(
        1,
        sumOf(known, (one) => one.squareInformation),
      ),
  );
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = improve(known, mean, variance, dispersion);
    const moved = Math.abs(next.mean - mean) + Math.abs(next.variance - variance);
    ({ mean, variance } = next);
    if (moved < LEAST / 100) break;
  }
  return {
    wallets: known.length,
    mean: toDecimals(mean),
    variance: Math.max(LEAST, toDecimals(variance)),
    dispersion: Math.max(LEAST, toDecimals(dispersion)),
    typicalVariance: toDecimals(total / sumOf(known, ({ weight }) => weight)),
  };
}

/** One round: weights from the last mean and variance, mean and variance from the weights. */
function improve(known: readonly SkillEvidence[], lastMean: number, lastVariance: number, dispersion: number) {
  const means: Share[] = [];
  const variances: Share[] = [];
  for (const one of known) {
    const { edge, information, squareInformation, varianceVariance } = one;
    // Squared error of the wallet's own edge, were its luck as its prices say.
    const luck = (dispersion * squareInformation * PARTS) / information ** 2;
    const weight = 1 / (lastVariance + luck);
    means.push({ weight, sum: (weight * edge) / information });
    const pairWeight = ((weight * PARTS) / information) ** 2;
    variances.push({
      weight: pairWeight * (squareInParts(information) - varianceVariance),
      sum: pairWeight * pairProducts(one, lastMean),
    });
  }
  return {
    mean: drawToward(PRIOR_MEAN, PRIOR_MEAN_DEVIATION, means),
    variance: Math.max(0, drawToward(PRIOR_VARIANCE, PRIOR_VARIANCE_DEVIATION, variances)),
  };
}

/** What one wallet gives to a weighted mean: its weight, and its value times that. */
interface Share {
  readonly weight: number;
  readonly sum: number;
}

/**
 * The weighted mean over wallets, and what was believed before, each by its precision. The mean's error is found from how the wallets differ,
 * so a mean that a few of them make counts for little.
 */
function drawToward(prior: number, priorDeviation: number, shares: readonly Share[]): number {
  const weights = sumOf(shares, ({ weight }) => weight);
  if (weights <= 0) return prior;
  const mean = sumOf(shares, ({ sum }) => sum) / weights;
  const squaredError = sumOf(shares, ({ weight, sum }) => (sum - mean * weight) ** 2) / weights ** 2;
  const priorPart = squaredError / (squaredError + priorDeviation ** 2);
  return (1 - priorPart) * mean + priorPart * prior;
}

/** Sum over pairs of different clusters of the product of their deviations, in PARTS. */
const pairProducts = (evidence: SkillEvidence, mean: number): number =>
  squareInParts(evidence.edge - mean * evidence.information) - squaredDeviations(evidence, mean);

/** The square of a figure in PARTS, in PARTS. */
const squareInParts = (value: number): number => (value / PARTS) * value;

function sumOf<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}

const toDecimals = (value: number): number => Math.round(value * 10 ** POPULATION_DECIMALS) / 10 ** POPULATION_DECIMALS + 0;
