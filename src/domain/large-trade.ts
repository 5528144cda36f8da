import { reachesFloor, toMicro } from "../scoring/dollar-floor.ts";
import { tradePrice, type PricedFill } from "./trade-price.ts";

/** From this price on a trade is nearly settled already: it says little, however large. */
export const LARGE_TRADE_MAX_PRICE = 0.97;

/**
 * Whether a fill is captured as a large trade: a taker's execution of at least the floor, below the price bound.
 *
 * @param role null when the provider has not shown who took; such a fill is not captured until it has
 */
export function isLargeTrade(fill: PricedFill & { readonly role: "taker" | null }, minUsd: number): boolean {
  return fill.role === "taker" && reachesFloor(fill.usdMicro, toMicro(minUsd)) && Number(tradePrice(fill)) < LARGE_TRADE_MAX_PRICE;
}
