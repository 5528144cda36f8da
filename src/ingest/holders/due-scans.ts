import type { Pool } from "@neondatabase/serverless";
import { isCombination } from "../../db/completeness.ts";
import { HOLDERS_RESCAN_SECONDS, HOLDERS_WANTED_SECONDS } from "../../domain/holder-scans.ts";
import type { IngestMessage } from "../../messages/ingest.ts";

/** A scan that was queued but not done after this long is queued again. */
const REQUEUE_SECONDS = 120;
/** A market whose last scan could not be whole waits longer: the next one hardly will be. */
const RETRY_INCOMPLETE_SECONDS = 600;
/** Open markets with the most money in large trades of wallets graded S, A or B are scanned before anybody asks. */
const INTEREST_MARKETS = 50;
const INTEREST_HOURS = 6;
/** Scans handed out at a turn: one takes a few calls of the provider, and wallets have to be read too. */
const SCANS_AT_ONCE = 20;
const SCANS_A_MESSAGE = 5;

/**
 * Takes markets whose holders are wanted and were not read lately: those never read first, then those read longest ago. Markets that we take an
 * interest in by ourselves count as requested.
 */
export async function takeDueHolderScans(pool: Pool, most: number = SCANS_AT_ONCE): Promise<IngestMessage[]> {
  const { rows } = await pool.query<{ market_id: string }>(
    `with interest as (
       select l.market_id from large_trades l
       join traders t on t.id = l.trader_id and t.grade in ('S', 'A', 'B')
       join markets m on m.id = l.market_id and not m.closed and m.payouts_ppm is null and not ${isCombination("m.condition_id")}
       where l.traded_at > now() - make_interval(hours => $1)
       group by l.market_id order by sum(l.size_usd_micro) desc, l.market_id limit $2
     ), wanted as (
       select market_id from holder_scans where requested_at > now() - make_interval(secs => $3)
       union select market_id from interest
     ), due as (
       select w.market_id from wanted w left join holder_scans s on s.market_id = w.market_id
       where (s.fetched_at is null or s.fetched_at < now() - make_interval(secs => $4))
         and (s.enqueued_at is null
           or s.enqueued_at < now() - make_interval(secs => case when s.last_error is null then $5::int else $6::int end))
       order by s.fetched_at nulls first, w.market_id limit $7
     )
     insert into holder_scans as s (market_id, requested_at, enqueued_at) select market_id, now(), now() from due
     on conflict (market_id) do update set enqueued_at = excluded.enqueued_at
     returning market_id`,
    [
      INTEREST_HOURS,
      INTEREST_MARKETS,
      HOLDERS_WANTED_SECONDS,
      HOLDERS_RESCAN_SECONDS,
      REQUEUE_SECONDS,
      RETRY_INCOMPLETE_SECONDS,
      Math.min(SCANS_AT_ONCE, most),
    ],
  );
  const ids = rows.map((row) => Number(row.market_id));
  const messages: IngestMessage[] = [];
  for (let start = 0; start < ids.length; start += SCANS_A_MESSAGE) {
    messages.push({ kind: "scan_holders", market_ids: ids.slice(start, start + SCANS_A_MESSAGE) });
  }
  return messages;
}

/**
 * Takes the scan of one market that a request waits for, whether or not it is queued: a message that comes later finds it done.
 *
 * @returns false when there is a scan that is young enough, or the last one could not be whole and its time has not come again
 */
export async function takeHolderScan(pool: Pool, marketId: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update holder_scans set enqueued_at = now()
     where market_id = $1 and (fetched_at is null or fetched_at < now() - make_interval(secs => $2))
       and (last_error is null or enqueued_at is null or enqueued_at < now() - make_interval(secs => $3))`,
    [marketId, HOLDERS_RESCAN_SECONDS, RETRY_INCOMPLETE_SECONDS],
  );
  return rowCount === 1;
}
