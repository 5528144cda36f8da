import { divideRounded } from "../../../src/scoring/divide-rounded.ts";

const PPM = 1_000_000n;

export interface Mark {
  /** Value of the shares at the price, in micro-dollars. */
  readonly valueMicro: bigint;
  /** Value minus cost. */
  readonly unrealizedMicro: bigint;
  /** `unrealizedMicro` divided by cost (0.1 is 10 %). Null when the shares cost nothing. */
  readonly returnOnCost: number | null;
}

/**
 * Values an open position at a current price (see `currentPrice`).
 *
 * @param price a fraction 0 to 1, rounded to the millionth; null when there is none
 * @returns null without a price: the value is then unknown, not 0
 */
export function markPosition(
  { sharesMicro, costMicro }: { readonly sharesMicro: bigint; readonly costMicro: bigint },
  price: number | null,
): Mark | null {
  if (price === null) return null;
  const valueMicro = divideRounded(sharesMicro * BigInt(Math.round(price * 1e6)), PPM);
  return {
    valueMicro,
    unrealizedMicro: valueMicro - costMicro,
    returnOnCost: returnOnCost(valueMicro - costMicro, costMicro),
  };
}

/** Profit divided by cost (0.1 is 10 %); null when nothing was paid. */
export function returnOnCost(pnlMicro: bigint, costMicro: bigint): number | null {
  return costMicro <= 0n ? null : Number(pnlMicro) / Number(costMicro);
}
