import { isTradeable, roundDecimal } from "../../payloads/decimal.ts";

/** Decimals of the provider's smallest tick. */
const TICK_DECIMALS = 4;

/**
 * The provider's last trade price, rounded to its smallest tick; null if there is none (market objects show
 * no trade yet as a price of 0).
 *
 * The provider divides dollars by shares, so its price carries the error of a quotient: 0.2750008313 for
 * 0.275. With that error a price and its complement would not sum to 1 once both are truncated to the
 * contract's four decimals.
 */
export function lastTradePriceOrNull(price: string | null): string | null {
  const onTick = price === null ? null : roundDecimal(price, TICK_DECIMALS);
  return onTick !== null && isTradeable(onTick) ? onTick : null;
}
