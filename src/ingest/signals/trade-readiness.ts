/*
 * What has been read of the time up to a large trade `l`, in SQL, so that the choice of trades to judge and what they are judged by agree.
 */

/**
 * How far the takers' feed has been read without a hole: back to the oldest large trade at least (where our first walk ended is a little
 * before, and found by no index), and up to the end of the last walk. One row, named `feed`; null before there is any.
 */
export const FEED = `(
  select (select min(traded_at) from large_trades) as read_from,
    (select to_timestamp((state ->> 'watermarkMs')::float8 / 1000) from ingest_checkpoints where feed = 'trades:takers') as read_to
) feed`;

export const FEED_REACHED = `(l.traded_at <= feed.read_to)`;

/**
 * Whether wallet sync `s` has read the wallet's activity to its end once, and now beyond the trade: a walk in progress may hold only a part
 * of the newest second. Activity that positions could not follow (`gaps`) leaves the trades whole.
 */
export const COVERED = `(s.complete_at is not null and (s.covered_to > l.traded_at or (s.covered_to = l.traded_at and s.resume is null)))`;
