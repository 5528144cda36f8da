import { PERCENTILE_MIN_POPULATION } from "./parameters.ts";

/**
 * The percentile of a value in a population: percent of members below it, with equal members counted half.
 *
 * @param population ascending, without members that lack the measure. The value need not be a member.
 * @returns 0 to 100; null for a null value, and for a population below PERCENTILE_MIN_POPULATION
 * Source: mid-rank percentile (Parzen 1993).
 */
export function percentileOf(value: number | null, population: readonly number[]): number | null {
  if (value === null || population.length < PERCENTILE_MIN_POPULATION) return null;
  const below = countBelow(population, (member) => member < value);
  const notAbove = countBelow(population, (member) => member <= value);
  return (50 * (below + notAbove)) / population.length;
}

/** Binary search: the number of leading members of an ascending array for which the test holds. */
function countBelow(sorted: readonly number[], test: (member: number) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const member = sorted[middle];
    if (member !== undefined && test(member)) low = middle + 1;
    else high = middle;
  }
  return low;
}
