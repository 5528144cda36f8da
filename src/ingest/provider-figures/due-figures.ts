import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { pf, s, t } from "../../db/aliases.ts";
import { sessionOf } from "../../db/client.ts";
import { providerFigures } from "../../db/schema.ts";
import { columnName, columnNames, integer, run, selectRows, timestamp } from "../../db/sql.ts";
import { chunk } from "../../lib/chunk.ts";
import type { IngestMessage } from "../../messages/ingest-message.ts";

/**
 * Delay between a trader's first complete sync and its measurement. By then its markets are hydrated and
 * their payouts requested.
 */
const FIRST_AFTER_SECONDS = 600;
/**
 * Figures that were queued but not read after this long are queued again, so a lost message only delays them.
 */
const REQUEUE_SECONDS = 600;
/** Traders per run. A trader takes three or more provider calls, and activity must be read too. */
const TRADERS_AT_ONCE = 20;
const TRADERS_PER_MESSAGE = 5;

/**
 * Claims tracked traders whose figures are due, hot ones first. A trader whose first sync has just ended
 * becomes due a little later.
 */
export async function claimDueFigures(
  pool: Pool,
  now: Date,
  limit: number = TRADERS_AT_ONCE,
): Promise<IngestMessage[]> {
  await addSyncedTraders(pool, now);
  const at = timestamp(now);
  const rows = await selectRows(
    sessionOf(pool),
    sql`with due as (
       select ${pf.traderId} from ${pf} join ${t} on ${t.id} = ${pf.traderId} and ${t.tier} <> 'cold'
       where ${pf.dueAt} <= ${at}
         and (${pf.enqueuedAt} is null or ${pf.enqueuedAt} <= ${at} - make_interval(secs => ${REQUEUE_SECONDS}))
       order by ${t.tier} = 'hot' desc, ${pf.dueAt}, ${pf.traderId} limit ${Math.min(TRADERS_AT_ONCE, limit)}
       for update of pf skip locked
     )
     update ${pf} set ${columnName(pf.enqueuedAt)} = ${at} from due where ${pf.traderId} = due.trader_id
     returning ${pf.traderId}`,
    z.object({ trader_id: integer }),
  );
  const ids = rows.map((row) => row.trader_id);
  return chunk(ids, TRADERS_PER_MESSAGE).map((group) => ({ kind: "measure_traders", trader_ids: group }));
}

async function addSyncedTraders(pool: Pool, now: Date): Promise<void> {
  const { traderId, dueAt } = providerFigures;
  await run(
    sessionOf(pool),
    sql`insert into ${providerFigures} (${columnNames(traderId, dueAt)})
     select ${s.traderId}, ${timestamp(now)} + make_interval(secs => ${FIRST_AFTER_SECONDS})
     from ${s} join ${t} on ${t.id} = ${s.traderId} and ${t.tier} <> 'cold'
     where ${s.completeAt} is not null and not exists (select from ${pf} where ${pf.traderId} = ${s.traderId})
     on conflict (${columnName(traderId)}) do nothing`,
  );
}
