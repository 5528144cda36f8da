import { reachesFloor, toMicro } from "../../scoring/dollar-floor.ts";
import { tradePrice, type PricedFill } from "./trade-price.ts";

/**
 * Trades at or above this price are not captured: the outcome is almost certain, so the trade says little at
 * any size.
 */
export const LARGE_TRADE_MAX_PRICE = 0.97;

/**
 * Whether a fill is captured as a large trade: a taker's fill of at least the floor, below the price bound.
 *
 * @param role null until the provider has shown the taker; the fill is not captured before
 */
export function isLargeTrade(fill: PricedFill & { readonly role: "taker" | null }, minUsd: number): boolean {
  return (
    fill.role === "taker" &&
    reachesFloor(fill.usdMicro, toMicro(minUsd)) &&
    Number(tradePrice(fill)) < LARGE_TRADE_MAX_PRICE
  );
}
