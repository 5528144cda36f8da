/** One trader's part of a weighted mean: its weight, and its value times the weight. */
export interface WeightedTerm {
  readonly weight: number;
  readonly sum: number;
}

/**
 * Combines the weighted mean over traders and the prior, each by its precision. The mean's error is estimated
 * from the differences between traders, so a mean that depends on a few of them has little weight.
 */
export function shrinkToward(prior: number, priorDeviation: number, shares: readonly WeightedTerm[]): number {
  const weights = sumOf(shares, ({ weight }) => weight);
  if (weights <= 0) return prior;
  const mean = sumOf(shares, ({ sum }) => sum) / weights;
  const squaredError = sumOf(shares, ({ weight, sum }) => (sum - mean * weight) ** 2) / weights ** 2;
  const priorPart = squaredError / (squaredError + priorDeviation ** 2);
  return (1 - priorPart) * mean + priorPart * prior;
}

export function sumOf<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}
