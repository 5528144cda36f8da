import { nth } from "../nth.ts";

/**
 * Area under the ROC curve: the probability that a positive has a larger value than a negative, ties counting half.
 *
 * @returns 0.5 without separation; null without a positive or without a negative
 * Source: Mann-Whitney U (Hanley and McNeil 1982).
 */
export function areaUnderCurve(positives: readonly number[], negatives: readonly number[]): number | null {
  if (positives.length === 0 || negatives.length === 0) return null;
  const sorted = Float64Array.from(negatives).sort();
  let wins = 0;
  for (const value of positives) wins += (countBelow(sorted, value, false) + countBelow(sorted, value, true)) / 2;
  return wins / (positives.length * negatives.length);
}

/** How many sorted values are below a value, or not above it. */
function countBelow(sorted: Float64Array, value: number, includesEqual: boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = nth(sorted, middle);
    if (one < value || (includesEqual && one === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
