/** One trader's part of a weighted mean: its weight, and its value times the weight. */
export interface WeightedTerm {
  readonly weight: number;
  readonly sum: number;
}

/** A mean, and the sum of the weights it was taken with, above 0. */
interface WeightedMean {
  readonly mean: number;
  readonly weights: number;
}

/** @returns null without any weight */
export function weightedMean<Item>(items: readonly Item[], termOf: (item: Item) => WeightedTerm): WeightedMean | null {
  let weights = 0;
  let total = 0;
  for (const item of items) {
    const { weight, sum } = termOf(item);
    weights += weight;
    total += sum;
  }
  return weights <= 0 ? null : { mean: total / weights, weights };
}

/**
 * Combines the weighted mean over traders and the prior, each by its precision. The mean's error is estimated
 * from the differences between traders, so a mean that depends on a few of them has little weight.
 *
 * @param termOf called twice for each trader: the terms of a million traders are not in memory together
 */
export function shrinkToward<Item>(
  prior: number,
  priorDeviation: number,
  items: readonly Item[],
  termOf: (item: Item) => WeightedTerm,
): number {
  const own = weightedMean(items, termOf);
  if (own === null) return prior;
  const { mean, weights } = own;
  const squares = sumOf(items, (item) => {
    const { weight, sum } = termOf(item);
    return (sum - mean * weight) ** 2;
  });
  const squaredError = squares / weights ** 2;
  const priorPart = squaredError / (squaredError + priorDeviation ** 2);
  return (1 - priorPart) * mean + priorPart * prior;
}

/**
 * The sum of the terms over its standard error where their mean is zero and they do not depend on each other. Each term's
 * own square is in the error, so a few large ones show little. Two decimals; 0 where all terms are zero.
 *
 * Source: score test of a variance component, with the error of Eicker (1967).
 */
export function significanceOf<Item>(items: readonly Item[], termOf: (item: Item) => WeightedTerm): number {
  let total = 0;
  let squares = 0;
  for (const item of items) {
    const { sum } = termOf(item);
    total += sum;
    squares += sum * sum;
  }
  return squares === 0 ? 0 : Math.round((100 * total) / Math.sqrt(squares)) / 100 + 0;
}

export function sumOf<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}
