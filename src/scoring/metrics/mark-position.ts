import { divideRounded } from "../divide-rounded.ts";

const PPM = 1_000_000n;

export interface Mark {
  /** What the shares are worth at the price, in micro-dollars. */
  readonly valueMicro: bigint;
  /** Value less cost. */
  readonly unrealizedMicro: bigint;
  /** `unrealizedMicro` over cost (0.1 is 10 %). Null when the shares cost nothing: nothing is no base for a return. */
  readonly returnOnCost: number | null;
}

/**
 * A held position at a current price (see `currentPrice`).
 *
 * @param price a fraction 0 to 1, taken to the millionth; null when there is none
 * @returns null without a price: what it is worth is then not known, and not 0
 */
export function markPosition(
  { sharesMicro, costMicro }: { readonly sharesMicro: bigint; readonly costMicro: bigint },
  price: number | null,
): Mark | null {
  if (price === null) return null;
  const valueMicro = divideRounded(sharesMicro * BigInt(Math.round(price * 1e6)), PPM);
  return { valueMicro, unrealizedMicro: valueMicro - costMicro, returnOnCost: returnOnCost(valueMicro - costMicro, costMicro) };
}

/** Profit over what was paid (0.1 is 10 %); null when nothing was paid. */
export function returnOnCost(pnlMicro: bigint, costMicro: bigint): number | null {
  return costMicro <= 0n ? null : Number(pnlMicro) / Number(costMicro);
}
