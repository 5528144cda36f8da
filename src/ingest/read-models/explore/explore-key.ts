import { sql, type SQL } from "drizzle-orm";
import type { markets } from "../../../db/schema.ts";
import type { Columns } from "../../../db/sql.ts";

/**
 * The id of the entry that a market belongs to: twice the event id, or, for a market without an event, twice
 * its own id plus one. The triggers that fill `explore_changes` use the same function, which a migration
 * defines.
 */
export const exploreKey = (market: Columns<typeof markets, "id" | "eventId">): SQL =>
  sql`explore_key(${market.id}, ${market.eventId})`;
