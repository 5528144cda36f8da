import { nth } from "./nth.ts";

/** A mean with its standard error; with `count` 0 both are null. */
export interface ClusteredMean {
  readonly count: number;
  readonly mean: number | null;
  /** Null with fewer than two groups of either kind. */
  readonly standardError: number | null;
}

/**
 * Mean of values that are correlated within groups of two kinds, with a standard error for this: the sum of
 * the squared group sums of one kind, plus those of the other, less those of the groups that share both; each
 * times groups / (groups - 1).
 *
 * In small samples the difference can fall below the larger part by chance; the larger part is then used.
 *
 * Source: Cameron, Gelbach and Miller (2011), equations 2.10 and 2.13, for the mean.
 * @param first, second, both numbers of each value's groups, from 0; `both` numbers the pairs of the two
 */
export function twoWayMean(
  values: Float64Array,
  first: Int32Array,
  second: Int32Array,
  both: Int32Array,
): ClusteredMean {
  const count = values.length;
  if (count === 0) return { count, mean: null, standardError: null };
  let sum = 0;
  for (let index = 0; index < count; index += 1) sum += nth(values, index);
  const mean = sum / count;
  const deviations = values.map((value) => value - mean);
  const one = groupSquares(deviations, first);
  const other = groupSquares(deviations, second);
  if (one === null || other === null) return { count, mean, standardError: null };
  return {
    count,
    mean,
    standardError: Math.sqrt(Math.max(one, other, one + other - (groupSquares(deviations, both) ?? 0))) / count,
  };
}

/** Sum of the squared group sums, times groups / (groups - 1). Null with fewer than two groups. */
function groupSquares(deviations: Float64Array, groups: Int32Array): number | null {
  let last = 0;
  for (let index = 0; index < groups.length; index += 1) last = Math.max(last, nth(groups, index));
  const sums = new Float64Array(last + 1);
  const isUsed = new Uint8Array(last + 1);
  for (let index = 0; index < groups.length; index += 1) {
    sums[nth(groups, index)] = nth(sums, nth(groups, index)) + nth(deviations, index);
    isUsed[nth(groups, index)] = 1;
  }
  let used = 0;
  let total = 0;
  for (let group = 0; group <= last; group += 1) {
    used += nth(isUsed, group);
    total += nth(sums, group) ** 2;
  }
  return used < 2 ? null : (total * used) / (used - 1);
}

/** The mean of all values of independent samples. If one has no standard error, the result has none. */
export function poolMeans(means: readonly ClusteredMean[]): ClusteredMean {
  const count = means.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return { count, mean: null, standardError: null };
  const mean = means.reduce((sum, one) => sum + one.count * (one.mean ?? 0), 0) / count;
  const known = means.filter((one) => one.count > 0);
  const squares = known.reduce((sum, one) => sum + (one.count * (one.standardError ?? Number.NaN)) ** 2, 0);
  return { count, mean, standardError: Number.isNaN(squares) ? null : Math.sqrt(squares) / count };
}
