/** With a wider spread the midpoint is not used as a price. */
export const MAX_MIDPOINT_SPREAD = 0.1;

/**
 * The gap between bid and ask relative to their midpoint, in basis points, rounded.
 *
 * @returns null without both sides, or when both are 0
 */
export function spreadBps(bestBid: number | null, bestAsk: number | null): number | null {
  if (bestBid === null || bestAsk === null) return null;
  const midpoint = (bestBid + bestAsk) / 2;
  return midpoint === 0 ? null : Math.round(((bestAsk - bestBid) / midpoint) * 10_000);
}
