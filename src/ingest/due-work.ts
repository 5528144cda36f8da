import type { Pool } from "@neondatabase/serverless";
import { isCombination } from "../db/completeness.ts";
import type { IngestMessage } from "../messages/ingest.ts";
import { isUnderWay } from "./work-leases.ts";

/** Markets that were asked for and not read are asked for again after this long: a lost message delays, it loses nothing. */
const REQUEUE_SECONDS = 120;
/** There is always a market whose result has just become due; before the first fill is done, those that ended long ago are due since their end. */
const RESULTS_LATE_SECONDS = 30;
/** A wallet whose reading failed lets the others go first for so long; the message that failed is tried again by its queue meanwhile. */
const FAILED_REST_SECONDS = 900;
const MARKETS_AT_ONCE = 500;

/** The followed wallets whose activity has been due for the longest, and is not being read. */
export async function listDueWallets(pool: Pool, limit: number): Promise<IngestMessage[]> {
  const { rows } = await pool.query<{ address: string }>(
    `select t.address from wallet_syncs s join traders t on t.id = s.trader_id
     where s.due_at <= now() and (s.failed_at is null or s.failed_at <= now() - make_interval(secs => $1))
       and not exists (select from work_leases l where l.key = t.address and ${isUnderWay("sync_wallet")})
     order by s.due_at limit $2`,
    [FAILED_REST_SECONDS, limit],
  );
  return rows.map((row) => ({ kind: "sync_wallet", address: row.address }));
}

// Combinations of markets are traded under a condition of their own, which the provider lists nowhere.
const IS_COMBINATION = isCombination("condition_id");

/** Takes markets that trades have named but the provider's own object has not been read for. */
export async function takeUnhydratedMarkets(pool: Pool, most: number): Promise<IngestMessage[]> {
  const { rows } = await pool.query<{ condition_id: string }>(
    `with due as (
       select id from markets
       where hydrated_at is null and not ${IS_COMBINATION}
         and (hydrate_enqueued_at is null
           or hydrate_enqueued_at < now() - make_interval(secs => $1 * power(2, least(hydrate_attempts, 10))))
       order by id limit $2
       for update skip locked
     )
     update markets m set hydrate_enqueued_at = now(), hydrate_attempts = least(hydrate_attempts + 1, 100)
     from due where m.id = due.id returning m.condition_id`,
    [REQUEUE_SECONDS / 4, Math.min(MARKETS_AT_ONCE, most)],
  );
  return inGroups(
    rows.map((row) => row.condition_id),
    50,
  ).map((condition_ids) => ({ kind: "hydrate_markets", condition_ids }));
}

/**
 * Takes markets that were open when they were last read and that the last whole walk over the open ones has not named: most of them have closed,
 * and one may close long before the end it was given. Those not taken for the longest time come first.
 */
export async function takeUnlistedMarkets(pool: Pool, most: number): Promise<IngestMessage[]> {
  const { rows } = await pool.query<{ condition_id: string }>(
    `with due as (
       select m.id from markets m
       where m.payouts_ppm is null and not m.closed
         and m.hydrated_at < (
           select to_timestamp((state ->> 'listedSinceMs')::float8 / 1000) from ingest_checkpoints where feed = 'markets'
         )
         and (m.hydrate_enqueued_at is null or m.hydrate_enqueued_at < now() - make_interval(secs => $1))
       order by m.hydrate_enqueued_at nulls first, m.id limit $2
       for update skip locked
     )
     update markets m set hydrate_enqueued_at = now() from due where m.id = due.id returning m.condition_id`,
    [REQUEUE_SECONDS, Math.min(MARKETS_AT_ONCE, most)],
  );
  return inGroups(
    rows.map((row) => row.condition_id),
    50,
  ).map((condition_ids) => ({ kind: "hydrate_markets", condition_ids }));
}

/** The open markets with the newest large trades: their books are read at every turn, the others come with the market walk. */
export async function listBooksToRefresh(pool: Pool): Promise<IngestMessage[]> {
  const { rows } = await pool.query<{ token_id: string }>(
    `select o.token_id
     from (
       select id from markets
       where not closed and payouts_ppm is null and large_trade_last_at is not null
       order by large_trade_last_at desc limit 100
     ) m join outcomes o on o.market_id = m.id
     where o.outcome_index is not null`,
  );
  return inGroups(
    rows.map((row) => row.token_id),
    100,
  ).map((token_ids) => ({ kind: "refresh_books", token_ids }));
}

export interface DueCounts {
  readonly wallets: number;
  readonly markets: number;
  readonly resolutions: number;
  readonly bets: number;
}

/**
 * How much of the first fill is still to do: wallets never read to the end, markets never read, results due for a while, settled markets whose
 * bets are not counted. Wallets whose last read failed are retried, but not waited for.
 */
export async function countUnfinished(pool: Pool): Promise<DueCounts> {
  const { rows } = await pool.query<{ wallets: string; markets: string; resolutions: string; bets: string }>(
    `select
       (select count(*) from skill_due) as bets,
       (select count(*) from wallet_syncs where complete_at is null and last_error is null) as wallets,
       (select count(*) from markets where hydrated_at is null and hydrate_attempts < 3 and not ${IS_COMBINATION}) as markets,
       (select count(*) from markets where payouts_ppm is null and result_due_at < now() - make_interval(secs => $1)) as resolutions`,
    [RESULTS_LATE_SECONDS],
  );
  const row = rows[0];
  return { wallets: Number(row?.wallets), markets: Number(row?.markets), resolutions: Number(row?.resolutions), bets: Number(row?.bets) };
}

function inGroups<T>(items: readonly T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let start = 0; start < items.length; start += size) groups.push(items.slice(start, start + size));
  return groups;
}
