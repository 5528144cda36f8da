import { KELLY_MIN_MARKETS } from "./parameters.ts";
import type { SettledMarket } from "./settled-market.ts";

/**
 * The fraction of capital that a trader's record would justify staking on one market: (q - p) / (1 - p),
 * where p is the mean price paid and q the mean payout, each market counted once. 0 when the record shows no
 * edge.
 *
 * @returns 0 to 1; null below KELLY_MIN_MARKETS markets with known price and payout
 * Source: Kelly (1956) for a binary bet bought at p; using averages as probabilities is our own estimate,
 *   version 1.
 */
export function kellyEstimate(markets: readonly Pick<SettledMarket, "entryPrice" | "payout">[]): number | null {
  let known = 0;
  let priceParts = 0;
  let payoutParts = 0;
  for (const { entryPrice, payout } of markets) {
    if (entryPrice === null || payout === null) continue;
    known += 1;
    // Sums of integer millionths are exact and do not depend on order.
    priceParts += Math.round(entryPrice * PARTS);
    payoutParts += Math.round(payout * PARTS);
  }
  if (known < KELLY_MIN_MARKETS) return null;
  return payoutParts <= priceParts ? 0 : Math.min(1, (payoutParts - priceParts) / (known * PARTS - priceParts));
}

const PARTS = 1_000_000;
