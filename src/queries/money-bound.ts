import { sql, type SQL } from "drizzle-orm";
import { parseCents } from "../domain/money.ts";
import { leastReaching } from "../scoring/dollar-floor.ts";

/** Nothing is worth more; a larger bound means the same and would not fit the database's integers. */
const MOST_USD = 1e12;

/**
 * What a column of millionths is at least where it reaches a caller's bound on money (`leastReaching`). The bound is moved and not the column, so
 * that an index serves the comparison.
 *
 * @param usd a finite number, not negative
 */
export const moneyBound = (usd: number): SQL => sql`${String(leastReaching(parseCents(Math.min(MOST_USD, usd)) * 10_000n))}::bigint`;
