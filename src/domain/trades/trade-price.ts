import { divideRounded } from "../../scoring/divide-rounded.ts";

/** Finer than any tick size the provider has used (0.0001). */
const TICK_STEPS = 10_000n;
const MICRO = 1_000_000n;

/** The inputs of a trade price. */
export interface PricedFill {
  readonly usdMicro: bigint;
  readonly sharesMicro: bigint;
  /** The provider's quotient of dollars and shares, as printed. */
  readonly price: string;
}

/**
 * The price of a fill, as every read and event shows it: a plain decimal without trailing zeros. The provider
 * prints dollars divided by shares, and the chain truncates dollars to the millionth, so an order at 0.75
 * prints as 0.7500000143.
 *
 * @returns the price of at most 4 decimals whose product with the shares is within a millionth of the
 *   dollars, if there is one; else dollars divided by shares, to 6 decimals; the provider's own text for a
 *   fill without shares
 */
export function tradePrice({ usdMicro, sharesMicro, price }: PricedFill): string {
  if (sharesMicro <= 0n) return price;
  const ticks = divideRounded(usdMicro * TICK_STEPS, sharesMicro);
  const dust = ticks * sharesMicro - usdMicro * TICK_STEPS;
  const isTick = dust <= TICK_STEPS && -dust <= TICK_STEPS;
  return formatPrice(isTick ? ticks * (MICRO / TICK_STEPS) : divideRounded(usdMicro * MICRO, sharesMicro));
}

function formatPrice(millionths: bigint): string {
  const decimals = String(millionths % MICRO)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return `${millionths / MICRO}${decimals === "" ? "" : `.${decimals}`}`;
}
