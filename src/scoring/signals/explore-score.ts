import { FULL_PRICE_MOVE } from "./parameters.ts";

/**
 * Absolute price move in 24 hours, 0 to 1; 1 at 20 points.
 *
 * @param price current price of YES, 0 to 1
 * @param price24hAgo price of YES 24 hours ago, 0 to 1
 * @returns null when either is unknown
 * Source: name from the contract; the scale is our own, version 1.
 */
export function priceMoveSignal(price: number | null, price24hAgo: number | null): number | null {
  return price === null || price24hAgo === null ? null : Math.min(1, Math.abs(price - price24hAgo) / FULL_PRICE_MOVE);
}
