/** One trader's part of a weighted mean: its weight, and its value times the weight. */
export interface WeightedTerm {
  readonly weight: number;
  readonly sum: number;
}

/** @returns null without any weight */
export function weightedMean(terms: readonly WeightedTerm[]): number | null {
  const weights = sumOf(terms, ({ weight }) => weight);
  return weights <= 0 ? null : sumOf(terms, ({ sum }) => sum) / weights;
}

/**
 * Combines the weighted mean over traders and the prior, each by its precision. The mean's error is estimated
 * from the differences between traders, so a mean that depends on a few of them has little weight.
 */
export function shrinkToward(prior: number, priorDeviation: number, shares: readonly WeightedTerm[]): number {
  const mean = weightedMean(shares);
  if (mean === null) return prior;
  const weights = sumOf(shares, ({ weight }) => weight);
  const squaredError = sumOf(shares, ({ weight, sum }) => (sum - mean * weight) ** 2) / weights ** 2;
  const priorPart = squaredError / (squaredError + priorDeviation ** 2);
  return (1 - priorPart) * mean + priorPart * prior;
}

/**
 * The sum of the terms over its standard error where their mean is zero and they do not depend on each other. Each term's
 * own square is in the error, so a few large ones show little. Two decimals; 0 where all terms are zero.
 *
 * Source: score test of a variance component, with the error of Eicker (1967).
 */
export function significanceOf(shares: readonly WeightedTerm[]): number {
  const error = Math.sqrt(sumOf(shares, ({ sum }) => sum * sum));
  return error === 0 ? 0 : Math.round((100 * sumOf(shares, ({ sum }) => sum)) / error) / 100 + 0;
}

export function sumOf<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}
