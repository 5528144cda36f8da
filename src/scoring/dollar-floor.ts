import { divideRounded } from "./divide-rounded.ts";

const CENT_MICRO = 10_000n;
const HALF_CENT_MICRO = 5_000n;

/**
 * The smallest amount, in micro-dollars, that reaches a floor. Amount and floor are compared in cents,
 * rounded half up: the chain cuts dust off round orders, so that most purchases of $5,000 are 4,999.999999.
 * This is the only comparison of amounts with floors; SQL compares columns with this bound.
 *
 * @param floorMicro micro-dollars; a floor below half a cent is 0
 * Source: the contract (money is compared in cents, half away from zero).
 */
export function floorLowerBound(floorMicro: bigint): bigint {
  const cents = divideRounded(floorMicro, CENT_MICRO);
  return cents <= 0n ? 0n : cents * CENT_MICRO - HALF_CENT_MICRO;
}

/** Whether an amount reaches a floor, both in micro-dollars and not negative. */
export const reachesFloor = (amountMicro: bigint, floorMicro: bigint): boolean =>
  amountMicro >= floorLowerBound(floorMicro);

/**
 * `reachesFloor` for amounts in dollars, up to 9e9: above that, a number does not represent every millionth.
 */
export const reachesUsd = (amountUsd: number, floorUsd: number): boolean =>
  reachesFloor(toMicro(amountUsd), toMicro(floorUsd));

/** The micro-dollars nearest to an amount in dollars. */
export const toMicro = (usd: number): bigint => BigInt(Math.round(usd * 1_000_000));
