import { sql, type AnyColumn, type SQL } from "drizzle-orm";
import { outcomes } from "../schema.ts";
import { alias } from "../sql.ts";

const further = alias(outcomes, "further");
const counted = alias(outcomes, "counted");

/** A market of YES (index 0) and NO (index 1): no further outcome is known. */
export const hasTwoOutcomes = (marketId: SQL | AnyColumn): SQL =>
  sql`not exists (select from ${further} where ${further.marketId} = ${marketId} and ${further.outcomeIndex} > 1)`;

/**
 * The same for many markets in one statement: the highest index instead of a further outcome, for which
 * Postgres would read the whole table of outcomes.
 */
export const hasTwoOutcomesByIndex = (marketId: SQL | AnyColumn): SQL =>
  sql`(select coalesce(max(${counted.outcomeIndex}), 0) <= 1 from ${counted} where ${counted.marketId} = ${marketId})`;
