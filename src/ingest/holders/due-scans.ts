import type { Pool } from "@neondatabase/serverless";
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { l, m, scans, t } from "../../db/aliases.ts";
import { sessionOf } from "../../db/client.ts";
import { isCombinationSql } from "../../db/fragments/completeness.ts";
import { SELECT_SCANNED_MARKETS } from "../../db/fragments/edge-board.ts";
import { isRankedGrade } from "../../db/fragments/grades.ts";
import { holderScans } from "../../db/schema.ts";
import { columnName, columnNames, excluded, integer, run, selectRows, setEach } from "../../db/sql.ts";
import { EDGE_RESCAN_SECONDS } from "../../domain/edge/edge-snapshot.ts";
import { HOLDERS_RESCAN_SECONDS, HOLDERS_FOLLOW_SECONDS } from "../../domain/markets/holder-scans.ts";
import { chunk } from "../../lib/chunk.ts";
import type { IngestMessage } from "../../messages/ingest-message.ts";

/** A scan that was queued but not done after this long is queued again. */
const REQUEUE_SECONDS = 120;
/** A market whose last scan was incomplete waits longer, because the next scan will probably fail too. */
const RETRY_INCOMPLETE_SECONDS = 600;
/**
 * Number of open markets, by the dollars in large trades of traders graded S, A or B, that are scanned
 * without a request.
 */
const INTEREST_MARKETS = 50;
const INTEREST_HOURS = 6;
/** Scans enqueued in one run. A scan takes a few provider calls, and trader syncs need the budget too. */
const SCANS_PER_RUN = 20;
const SCANS_PER_MESSAGE = 5;

/** Markets in which graded traders made large trades lately. */
const SELECT_INTEREST = sql`
  select ${l.marketId} from ${l}
  join ${t} on ${t.id} = ${l.traderId} and ${isRankedGrade(t.grade)}
  join ${m} on ${m.id} = ${l.marketId} and not ${m.closed} and ${m.payoutsPpm} is null
    and not ${isCombinationSql(m.conditionId)}
  where ${l.tradedAt} > now() - make_interval(hours => ${INTEREST_HOURS})
  group by ${l.marketId} order by sum(${l.sizeUsdMicro}) desc, ${l.marketId} limit ${INTEREST_MARKETS}`;

/**
 * Wanted markets whose last scan is older than their `rescan` seconds, and that are not queued. A market that is wanted
 * for several reasons follows the shortest.
 */
const selectDue = (limit: number): SQL => sql`
  select w.market_id from (select market_id, min(rescan) as rescan from wanted group by market_id) w
  left join ${scans} on ${scans.marketId} = w.market_id
  where (${scans.fetchedAt} is null or ${scans.fetchedAt} < now() - make_interval(secs => w.rescan))
    and (${scans.enqueuedAt} is null
      or ${scans.enqueuedAt} < now() - make_interval(secs => case when ${scans.lastError} is null
        then ${REQUEUE_SECONDS}::int else ${RETRY_INCOMPLETE_SECONDS}::int end))
  order by ${scans.fetchedAt} nulls first, w.market_id limit ${limit}`;

/**
 * Claims markets whose holders are wanted and were not read lately: first those never read, then those read
 * longest ago. Markets of interest count as requested; markets of the sports board are scanned less often.
 */
export async function claimDueHolderScans(pool: Pool, limit: number = SCANS_PER_RUN): Promise<IngestMessage[]> {
  const { marketId, requestedAt, enqueuedAt } = holderScans;
  const rows = await selectRows(
    sessionOf(pool),
    sql`with interest as (
       ${SELECT_INTEREST}
     ), wanted as (
       select ${scans.marketId}, ${HOLDERS_RESCAN_SECONDS}::int as rescan from ${scans}
       where ${scans.requestedAt} > now() - make_interval(secs => ${HOLDERS_FOLLOW_SECONDS})
       union all select market_id, ${HOLDERS_RESCAN_SECONDS} from interest
       union all select board.id, ${EDGE_RESCAN_SECONDS} from (${SELECT_SCANNED_MARKETS}) board
     ), due as (
       ${selectDue(Math.min(SCANS_PER_RUN, limit))}
     )
     insert into ${holderScans} (${columnNames(marketId, requestedAt, enqueuedAt)})
     select market_id, now(), now() from due
     on conflict (${columnName(marketId)}) do update set ${setEach([enqueuedAt], excluded)}
     returning ${marketId}`,
    z.object({ market_id: integer }),
  );
  const ids = rows.map((row) => row.market_id);
  return chunk(ids, SCANS_PER_MESSAGE).map((group) => ({ kind: "scan_holders", market_ids: group }));
}

/**
 * Claims the scan of one market for a waiting request, whether or not it is queued. A message that is
 * processed later finds it done.
 *
 * @returns false when the last scan is recent enough, or was incomplete and its retry time has not come
 */
export async function claimHolderScan(pool: Pool, marketId: number): Promise<boolean> {
  const claimed = await run(
    sessionOf(pool),
    sql`update ${scans} set ${columnName(scans.enqueuedAt)} = now()
     where ${scans.marketId} = ${marketId}
       and (${scans.fetchedAt} is null
         or ${scans.fetchedAt} < now() - make_interval(secs => ${HOLDERS_RESCAN_SECONDS}))
       and (${scans.lastError} is null or ${scans.enqueuedAt} is null
         or ${scans.enqueuedAt} < now() - make_interval(secs => ${RETRY_INCOMPLETE_SECONDS}))`,
  );
  return claimed === 1;
}
