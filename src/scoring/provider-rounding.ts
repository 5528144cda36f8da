/*
 * How far the provider's own rounding can move the profit of a position. It keeps whole millionths and cuts at every step; docs/reconciliation.md
 * has the evidence.
 */

const MICRO = 1_000_000n;
/** Half a unit of the fourth decimal of a price, as a divisor: 0.00005 is 1 / 20,000. */
const HALF_FOURTH_DECIMAL_DIVISOR = 20_000n;

/** What the rounding works on: one wallet's movements in one outcome. */
export interface RoundedMovements {
  readonly movements: number;
  /** Those that add shares, and what they add. */
  readonly additions: number;
  readonly addedSharesMicro: bigint;
  readonly removedSharesMicro: bigint;
}

/**
 * The most that the provider's arithmetic can lose, in micro-dollars: each addition cuts its price and then the average by less than a millionth,
 * so the average is low by less than (additions + 1) millionths for every share added; each removal's price is cut by less than a millionth
 * for every share removed, and each product by less than a micro-dollar.
 */
export function mostArithmeticLoss({ movements, additions, addedSharesMicro, removedSharesMicro }: RoundedMovements): bigint {
  const averageError = (BigInt(additions + 1) * addedSharesMicro) / MICRO;
  return averageError + removedSharesMicro / MICRO + BigInt(movements) + 2n;
}

/** Half a unit of an average price's fourth decimal, on all shares bought, in micro-dollars. */
export const halfFourthDecimal = (boughtSharesMicro: bigint): bigint => boughtSharesMicro / HALF_FOURTH_DECIMAL_DIVISOR;
