import { sql, type SQL } from "drizzle-orm";
import { ingestCheckpoints, largeTrades } from "./schema.ts";

/**
 * The start of complete coverage: the time of the oldest large trade, from which on every trade is recorded.
 * Null before the first.
 */
export const COVERED_FROM: SQL = sql`(select min(${largeTrades.tradedAt}) from ${largeTrades})`;

/** The UTC day of COVERED_FROM. */
export const FIRST_COVERED_DAY: SQL = sql`(${COVERED_FROM} at time zone 'UTC')::date`;

const isTakerFeed = sql`${ingestCheckpoints.feed} = 'trades:takers'`;

/**
 * The watermark of the taker feed, the source of all large trades: it has been read up to here without a gap.
 * Null until its first walk has ended.
 */
export const TAKER_FEED_WATERMARK: SQL = sql`(
  select to_timestamp((${ingestCheckpoints.state} ->> 'watermarkMs')::float8 / 1000)
  from ${ingestCheckpoints} where ${isTakerFeed})`;

/**
 * When a page of the taker feed was last stored: the as-of time of all large-trade figures. Null before the
 * first.
 */
export const LARGE_TRADES_AS_OF: SQL = sql`(
  select ${ingestCheckpoints.updatedAt} from ${ingestCheckpoints} where ${isTakerFeed})`;

/**
 * When a page of the feed of all fills (takers and makers) was last stored: the as-of time of all positions.
 * Null before the first.
 */
export const FILLS_AS_OF: SQL = sql`(
  select ${ingestCheckpoints.updatedAt} from ${ingestCheckpoints} where ${ingestCheckpoints.feed} = 'trades:all')`;
