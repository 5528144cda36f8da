import { divideRounded } from "../../scoring/divide-rounded.ts";

/** The provider rounds prices to this many decimals and omits trailing zeros. */
export const PRICE_DECIMALS = 10;

/**
 * Dollars divided by shares as the provider prints prices: a plain decimal, rounded half up to ten decimals, without
 * trailing zeros.
 *
 * @param sharesMicro above 0
 */
export function printedPrice(usdMicro: bigint, sharesMicro: bigint): string {
  const digits = divideRounded(usdMicro * 10n ** BigInt(PRICE_DECIMALS), sharesMicro)
    .toString()
    .padStart(PRICE_DECIMALS + 1, "0");
  const decimal = `${digits.slice(0, -PRICE_DECIMALS)}.${digits.slice(-PRICE_DECIMALS)}`;
  return decimal.replace(/\.?0+$/, "");
}
