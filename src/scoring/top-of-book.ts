/** A wider book says nothing about the price between its sides. */
export const MAX_MIDPOINT_SPREAD = 0.1;

/**
 * What an outcome is worth now: the midpoint of its best bid and ask when they are at most 0.10 apart, else its last trade price.
 *
 * @returns a fraction 0 to 1; null when there is neither
 */
export function currentPrice(bestBid: number | null, bestAsk: number | null, lastTradePrice: number | null): number | null {
  if (bestBid === null || bestAsk === null) return lastTradePrice;
  // A millionth of slack: 0.55 - 0.45 is a little over 0.1 in floating point.
  return bestAsk - bestBid <= MAX_MIDPOINT_SPREAD + 1e-6 && bestAsk >= bestBid ? (bestBid + bestAsk) / 2 : lastTradePrice;
}

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
