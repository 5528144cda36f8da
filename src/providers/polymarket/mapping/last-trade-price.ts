import { isTradeable, roundDecimal } from "../payloads/decimal.ts";

/** Decimals of the provider's smallest tick. */
const TICK_DECIMALS = 4;

/**
 * The provider's last trade price on its smallest tick; null where there is none (no trade yet is a price of 0 in market objects).
 *
 * The provider divides dollars by shares, so that its price carries the noise of a quotient: 0.2750008313 for 0.275. With that noise a price
 * and its mirror would not sum to 1 once both are truncated to the contract's four decimals.
 */
export function lastTradePriceOrNull(price: string | null): string | null {
  const onTick = price === null ? null : roundDecimal(price, TICK_DECIMALS);
  return onTick !== null && isTradeable(onTick) ? onTick : null;
}
