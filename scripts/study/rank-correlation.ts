import { nth } from "./nth.ts";

/**
 * Spearman's rank correlation: Pearson's correlation of the ranks; ties get their mean rank.
 *
 * @returns -1 to 1; null with fewer than three pairs or without variation
 */
export function rankCorrelation(left: ArrayLike<number>, right: ArrayLike<number>): number | null {
  if (left.length < 3) return null;
  const a = ranksOf(left);
  const b = ranksOf(right);
  const middle = (left.length - 1) / 2;
  let product = 0;
  let squareA = 0;
  let squareB = 0;
  for (let index = 0; index < a.length; index += 1) {
    product += (nth(a, index) - middle) * (nth(b, index) - middle);
    squareA += (nth(a, index) - middle) ** 2;
    squareB += (nth(b, index) - middle) ** 2;
  }
  return squareA === 0 || squareB === 0 ? null : product / Math.sqrt(squareA * squareB);
}

function ranksOf(values: ArrayLike<number>): Float64Array {
  const order = Array.from({ length: values.length }, (_, index) => index).sort(
    (x, y) => nth(values, x) - nth(values, y),
  );
  const ranks = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to + 1 < order.length && values[nth(order, to + 1)] === values[nth(order, from)]) to += 1;
    for (let index = from; index <= to; index += 1) ranks[nth(order, index)] = (from + to) / 2;
    from = to + 1;
  }
  return ranks;
}
