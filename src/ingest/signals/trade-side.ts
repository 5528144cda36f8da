import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { hasTwoOutcomes } from "../../db/fragments/binary-market.ts";
import type { outcomes } from "../../db/schema.ts";
import type { Columns } from "../../db/sql.ts";

/** The outcome index: YES or NO only in markets of exactly two outcomes, else null. */
export const sideOf = (outcome: Columns<typeof outcomes, "outcomeIndex">, marketId: AnyPgColumn): SQL =>
  sql`case when ${hasTwoOutcomes(marketId)} then ${outcome.outcomeIndex} end`;
