/*
 * How much the provider's own rounding can change the profit of a position. The provider keeps whole
 * millionths and truncates at every step; docs/reconciliation.md has the evidence.
 */

const MICRO = 1_000_000n;
/** Half a unit of the fourth decimal of a price, as a divisor: 0.00005 is 1 / 20,000. */
const HALF_FOURTH_DECIMAL_DIVISOR = 20_000n;

/** The input of the rounding bounds: one trader's ledger entries in one outcome. */
export interface RoundingInput {
  readonly entries: number;
  /** The entries that add shares, and the shares they add. */
  readonly additions: number;
  readonly addedSharesMicro: bigint;
  readonly removedSharesMicro: bigint;
}

/**
 * The maximum loss of the provider's arithmetic, in micro-dollars. Each addition truncates its price and then
 * the average by less than a millionth, so the average is low by less than (additions + 1) millionths for
 * every share added. Each removal truncates its price by less than a millionth for every share removed, and
 * each product by less than a micro-dollar.
 */
export function maxArithmeticLoss({ entries, additions, addedSharesMicro, removedSharesMicro }: RoundingInput): bigint {
  const averageError = (BigInt(additions + 1) * addedSharesMicro) / MICRO;
  return averageError + removedSharesMicro / MICRO + BigInt(entries) + 2n;
}

/** Half a unit of an average price's fourth decimal, on all shares bought, in micro-dollars. */
export const halfFourthDecimal = (boughtSharesMicro: bigint): bigint => boughtSharesMicro / HALF_FOURTH_DECIMAL_DIVISOR;
