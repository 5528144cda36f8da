/**
 * Exponential back-off: the first delay, doubled with each further failure in a row, up to the longest.
 *
 * @param failures failures in a row, 1 or more
 * @returns in the unit of the two delays
 */
export const backoff = (failures: number, first: number, longest: number = Infinity): number =>
  Math.min(longest, first * 2 ** (failures - 1));
