import { sql, type SQL } from "drizzle-orm";
import { parseCents } from "../domain/money.ts";
import { floorLowerBound } from "../scoring/dollar-floor.ts";

/** No amount is larger; a larger bound is equivalent and would not fit a database integer. */
const MAX_USD = 1e12;

/**
 * The lower bound, in millionths, for a column that must reach a client's amount (`floorLowerBound`). The
 * bound is adjusted instead of the column, so that an index serves the comparison.
 *
 * @param usd a finite number, not negative
 */
export const moneyBound = (usd: number): SQL =>
  sql`${String(floorLowerBound(parseCents(Math.min(MAX_USD, usd)) * 10_000n))}::bigint`;
