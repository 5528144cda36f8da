/** Columns of a query, as SQL. */
export interface ValuedColumns {
  readonly shares: string;
  /** What the position settled at; null while its market is unresolved. */
  readonly settled: string;
  readonly price: string;
}

/**
 * SQL of a position's `value_micro`: the value of `markPosition` of src/scoring/metrics, which a test holds beside it. Null once the
 * position has settled, because then it is worth its payout, and while there is no price. No shares are worth 0 at any price.
 *
 * The price is taken to the millionth and the product rounded once, half away from zero, as `round` does with a numeric.
 */
export const positionValue = ({ shares, settled, price }: ValuedColumns): string =>
  `case when ${settled} is null then case when ${shares} = 0 then 0 else round(${shares} * round(${price}, 6))::bigint end end`;
