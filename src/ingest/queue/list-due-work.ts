import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, o, s, t } from "../../db/aliases.ts";
import { sessionOf } from "../../db/client.ts";
import { isCombinationSql } from "../../db/fragments/completeness.ts";
import { ingestCheckpoints, markets, skillDue, traders, traderSyncs } from "../../db/schema.ts";
import { columnName, integer, selectRow, selectRows } from "../../db/sql.ts";
import { RESYNC_MS } from "../../domain/traders/tracking.ts";
import { chunk } from "../../lib/chunk.ts";
import type { IngestMessage } from "../../messages/ingest-message.ts";
import { isLeased, lease } from "./work-leases.ts";

/**
 * A market that was queued but not read is queued again after this long, so a lost message only delays it.
 */
const REQUEUE_SECONDS = 120;
/**
 * Results count as late after this long: some market has always just become due. During the backfill, markets
 * that ended long ago are due since their end.
 */
const RESULTS_LATE_SECONDS = 30;
/**
 * A trader whose sync failed yields to other traders for this long. Meanwhile the queue retries the failed
 * message.
 */
const FAILED_COOLDOWN_SECONDS = 900;

/**
 * When a due trader would be due once more. A late read of a hot trader misses more of its reads than one of a warm trader, and
 * none waits for others forever.
 */
const DUE_AGAIN_AT = sql`${s.dueAt} + make_interval(secs => case ${t.tier}
  when 'hot' then ${RESYNC_MS.hot / 1_000}::float8 when 'warm' then ${RESYNC_MS.warm / 1_000} else ${RESYNC_MS.cold / 1_000} end)`;

/**
 * The tracked traders whose sync is due and not leased. First come those that would be due again first. The address and the tier are
 * looked up for each due trader: a join may read all traders instead, and they are many more.
 */
export async function listDueTraders(pool: Pool, limit: number): Promise<IngestMessage[]> {
  const rows = await selectRows(
    sessionOf(pool),
    sql`select ${t.address} from ${s}
       cross join lateral (select ${traders.address}, ${traders.tier} from ${traders} where ${traders.id} = ${s.traderId} offset 0) t
     where ${s.dueAt} <= now()
       and (${s.failedAt} is null or ${s.failedAt} <= now() - make_interval(secs => ${FAILED_COOLDOWN_SECONDS}))
       and not exists (select from ${lease} where ${lease.key} = ${t.address} and ${isLeased("sync_trader")})
     order by ${DUE_AGAIN_AT}, ${s.traderId} limit ${limit}`,
    z.object({ address: z.string() }),
  );
  return rows.map((row) => ({ kind: "sync_trader", address: row.address }));
}

// Combinations of markets are traded under their own condition id, and the provider has no market object for
// it.
const IS_COMBINATION = isCombinationSql(markets.conditionId);

const ClaimedMarket = z.object({ condition_id: z.string() });

/** Claims markets that appear in trades and whose market object has not been read. */
export async function claimUnhydratedMarkets(pool: Pool, limit: number): Promise<IngestMessage[]> {
  const { id, hydratedAt, hydrateEnqueuedAt, hydrateAttempts } = markets;
  const wait = sql`make_interval(secs => ${REQUEUE_SECONDS / 4} * power(2, least(${hydrateAttempts}, 10)))`;
  const rows = await selectRows(
    sessionOf(pool),
    sql`with due as (
       select ${id} from ${markets}
       where ${hydratedAt} is null and not ${IS_COMBINATION}
         and (${hydrateEnqueuedAt} is null or ${hydrateEnqueuedAt} < now() - ${wait})
       order by ${id} limit ${limit}
       for update skip locked
     )
     update ${m} set ${columnName(hydrateEnqueuedAt)} = now(),
       ${columnName(hydrateAttempts)} = least(${m.hydrateAttempts} + 1, 100)
     from due where ${m.id} = due.id returning ${m.conditionId}`,
    ClaimedMarket,
  );
  return chunk(
    rows.map((row) => row.condition_id),
    50,
  ).map((condition_ids) => ({ kind: "hydrate_markets", condition_ids }));
}

/**
 * Claims markets that were open at their last read and did not appear in the last complete walk over the open
 * ones. Most of them have closed; a market may close long before its announced end. Those claimed longest ago
 * come first.
 */
export async function claimUnlistedMarkets(pool: Pool, limit: number): Promise<IngestMessage[]> {
  const rows = await selectRows(
    sessionOf(pool),
    sql`with due as (
       select ${m.id} from ${m}
       where ${m.payoutsPpm} is null and not ${m.closed} and not ${isCombinationSql(m.conditionId)}
         and ${m.figuresAsOf} < (
           select to_timestamp((${ingestCheckpoints.state} ->> 'listedSinceMs')::float8 / 1000)
           from ${ingestCheckpoints} where ${ingestCheckpoints.feed} = 'markets'
         )
         and (${m.hydrateEnqueuedAt} is null
           or ${m.hydrateEnqueuedAt} < now() - make_interval(secs => ${REQUEUE_SECONDS}))
       order by ${m.hydrateEnqueuedAt} nulls first, ${m.id} limit ${limit}
       for update skip locked
     )
     update ${m} set ${columnName(m.hydrateEnqueuedAt)} = now() from due where ${m.id} = due.id
     returning ${m.conditionId}`,
    ClaimedMarket,
  );
  return chunk(
    rows.map((row) => row.condition_id),
    50,
  ).map((condition_ids) => ({ kind: "hydrate_markets", condition_ids }));
}

/**
 * The tokens of the open markets with the newest large trades. Their books are refreshed on every run; other
 * quotes come with the market walk.
 */
export async function listBooksToRefresh(pool: Pool): Promise<IngestMessage[]> {
  const rows = await selectRows(
    sessionOf(pool),
    sql`select ${o.tokenId}
     from (
       select ${markets.id} from ${markets}
       where not ${markets.closed} and ${markets.payoutsPpm} is null and ${markets.largeTradeLastAt} is not null
         and not ${IS_COMBINATION}
       order by ${markets.largeTradeLastAt} desc limit 100
     ) m join ${o} on ${o.marketId} = m.id
     where ${o.outcomeIndex} is not null`,
    z.object({ token_id: z.string() }),
  );
  return chunk(
    rows.map((row) => row.token_id),
    100,
  ).map((token_ids) => ({ kind: "refresh_books", token_ids }));
}

const UnfinishedCounts = z.object({
  traders: integer,
  combos: integer,
  markets: integer,
  resolutions: integer,
  bets: integer,
});

export type UnfinishedCounts = z.output<typeof UnfinishedCounts>;

/**
 * How much of the backfill is left: traders never read to the end, combos of traders never read, markets never read, results that are late,
 * settled markets whose bets are not scored. Traders whose last sync or read of combos failed are retried, but
 * the backfill does not wait for them.
 */
export async function countUnfinished(pool: Pool): Promise<UnfinishedCounts> {
  const counts = await selectRow(
    sessionOf(pool),
    sql`select
       (select count(*) from ${skillDue}) as bets,
       (select count(*) from ${traderSyncs}
         where ${traderSyncs.completeAt} is null and ${traderSyncs.lastError} is null) as traders,
       (select count(*) from ${traderSyncs}
         where ${traderSyncs.combosDueAt} <= now() and ${traderSyncs.combosReadAt} is null
           and ${traderSyncs.completeAt} is not null and ${traderSyncs.combosAttempts} = 0) as combos,
       (select count(*) from ${markets}
         where ${markets.hydratedAt} is null and ${markets.hydrateAttempts} < 3 and not ${IS_COMBINATION}) as markets,
       (select count(*) from ${markets}
         where ${markets.payoutsPpm} is null
           and ${markets.resultDueAt} < now() - make_interval(secs => ${RESULTS_LATE_SECONDS})) as resolutions`,
    UnfinishedCounts,
  );
  if (counts === null) throw new Error("the database returned no counts");
  return counts;
}
