import { sql, type SQL } from "drizzle-orm";

/** Nothing is worth more; a larger bound means the same and would not fit the database's integers. */
const MOST_USD = 1e12;

/**
 * A caller's bound on money, to compare a column of millionths with. Money in a query is compared in cents, half a cent away from zero.
 *
 * @param usd at least -1e12
 */
export const moneyBound = (usd: number): SQL => sql`(round(${String(Math.min(MOST_USD, usd))}::numeric, 2) * 1000000)::bigint`;
