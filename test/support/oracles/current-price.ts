import { MAX_MIDPOINT_SPREAD } from "../../../src/scoring/top-of-book.ts";

/**
 * The mark price of an outcome from its book: the midpoint of best bid and ask when they are at most 0.10
 * apart, else the last trade price.
 *
 * @returns a fraction 0 to 1; null when there is neither
 */
export function currentPrice(
  bestBid: number | null,
  bestAsk: number | null,
  lastTradePrice: number | null,
): number | null {
  if (bestBid === null || bestAsk === null) return lastTradePrice;
  // A tolerance of a millionth: 0.55 - 0.45 is slightly more than 0.1 in floating point.
  return bestAsk - bestBid <= MAX_MIDPOINT_SPREAD + 1e-6 && bestAsk >= bestBid
    ? (bestBid + bestAsk) / 2
    : lastTradePrice;
}
