import { sql, type SQL } from "drizzle-orm";

/** From when on every large trade, and so every trade, is recorded: the oldest large trade. Null before the first. */
export const COVERED_FROM: SQL = sql`(select min(traded_at) from large_trades)`;

/** The UTC day of that. */
export const FIRST_COVERED_DAY: SQL = sql`(${COVERED_FROM} at time zone 'UTC')::date`;

/** Up to when the takers' feed, which every large trade comes from, has been read without a gap; null until its first reading has ended. */
export const READ_TO: SQL = sql`(select to_timestamp((state ->> 'watermarkMs')::float8 / 1000) from ingest_checkpoints where feed = 'trades:takers')`;

/** When a page of that feed was last stored: the clock of all that is told of large trades. Null before the first. */
export const LARGE_TRADES_READ_AT: SQL = sql`(select updated_at from ingest_checkpoints where feed = 'trades:takers')`;

/** When a page of the feed of all fills, makers' too, was last stored: the clock of what anybody holds. Null before the first. */
export const FILLS_READ_AT: SQL = sql`(select updated_at from ingest_checkpoints where feed = 'trades:all')`;
