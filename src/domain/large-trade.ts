/** From this price on a trade is nearly settled already: it says little, however large. */
export const LARGE_TRADE_MAX_PRICE = 0.97;

/**
 * Whether a fill is captured as a large trade: a taker's execution of at least the floor, below the price bound.
 *
 * @param role null when the provider has not shown who took; such a fill is not captured until it has
 */
export function isLargeTrade(fill: { role: "taker" | null; usdMicro: bigint; price: number }, minUsd: number): boolean {
  return fill.role === "taker" && fill.usdMicro >= BigInt(Math.round(minUsd * 1_000_000)) && fill.price < LARGE_TRADE_MAX_PRICE;
}
