import { presentDecimal } from "../money.ts";

/** More decimals than any price has. */
const SCALE = 24;
const ONE = 10n ** BigInt(SCALE);

/**
 * The price of a market's first outcome, or of an outcome shown alone, truncated toward zero at four
 * decimals; null stays null.
 *
 * @param price a decimal from 0 to 1
 */
export function presentPrice(price: string): number;
export function presentPrice(price: string | null): number | null;
export function presentPrice(price: string | null): number | null {
  return presentDecimal(price, 4);
}

/**
 * The price of the second outcome of a binary market. When both prices add up to exactly one dollar, the
 * presented prices do too: truncated separately, 0.27555 and 0.72445 would add up to 0.9999.
 *
 * @param first the first outcome's price, not truncated; null when it is unknown
 */
export function presentSecondPrice(second: string, first: string | null): number;
export function presentSecondPrice(second: string | null, first: string | null): number | null;
export function presentSecondPrice(second: string | null, first: string | null): number | null {
  if (second === null || first === null || scaled(first) + scaled(second) !== ONE) return presentPrice(second);
  return (10_000 - Math.round(presentPrice(first) * 10_000)) / 10_000;
}

function scaled(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.slice(0, SCALE).padEnd(SCALE, "0"));
}
