import { sql, type AnyColumn, type SQL } from "drizzle-orm";

/** Columns of a query. */
export interface PositionValueColumns {
  readonly shares: SQL | AnyColumn;
  /** The settled result of the position; null while its market is unresolved. */
  readonly settled: SQL | AnyColumn;
  readonly price: SQL | AnyColumn;
}

/**
 * SQL of a position's `value_micro`. It equals the value of `markPosition` of src/scoring/metrics; a test
 * checks that both agree. Null once the position has settled, because its value is then its payout, and while
 * there is no price. A position of no shares is worth 0 at any price.
 *
 * The price is rounded to the millionth and the product rounded once, half away from zero, as `round` does
 * for numerics.
 */
export const positionValue = ({ shares, settled, price }: PositionValueColumns): SQL =>
  sql`case when ${settled} is null then case when ${shares} = 0 then 0
    else round(${shares} * round(${price}, 6))::bigint end end`;
