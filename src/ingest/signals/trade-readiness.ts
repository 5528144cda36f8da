import { sql, type SQL } from "drizzle-orm";
import { l, s } from "../../db/aliases.ts";
import { ingestCheckpoints, largeTrades } from "../../db/schema.ts";

/*
 * SQL conditions on what has been read up to the time of a large trade `l`. The selection of trades to judge
 * and the judgement share them.
 */

/**
 * The range of the takers' feed that was read without a gap: from the oldest large trade (the first walk
 * ended a little earlier, but no index finds that) to the end of the last walk. One row, named `feed`; null
 * before there is any.
 */
export const TAKER_FEED_RANGE: SQL = sql`(
  select (select min(${largeTrades.tradedAt}) from ${largeTrades}) as read_from,
    (select to_timestamp((${ingestCheckpoints.state} ->> 'watermarkMs')::float8 / 1000) from ${ingestCheckpoints}
      where ${ingestCheckpoints.feed} = 'trades:takers') as read_to
) feed`;

export const IS_FEED_READ: SQL = sql`(${l.tradedAt} <= feed.read_to)`;

/**
 * Whether sync `s` has read the trader's activity to its end once, and now past the trade: a walk in progress
 * may contain only a part of the newest second. Activity that positions could not follow (`gaps`) leaves the
 * trades complete.
 */
export const IS_TRADER_READ: SQL = sql`(${s.completeAt} is not null
  and (${s.coveredTo} > ${l.tradedAt} or (${s.coveredTo} = ${l.tradedAt} and ${s.resume} is null)))`;
