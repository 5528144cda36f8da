import type { Pool } from "@neondatabase/serverless";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { ev, m } from "../../../db/aliases.ts";
import { inTransaction, sessionOf } from "../../../db/client.ts";
import { traderSyncs } from "../../../db/schema.ts";
import { array, selectRows } from "../../../db/sql.ts";
import { chunk } from "../../../lib/chunk.ts";
import type { Provider } from "../../../platform/provider.ts";
import { hydrateMarkets } from "../../markets/hydrate-markets.ts";
import { lockLedger } from "../../ledger/record-ledger-entries.ts";
import { bookConversions, type QuestionLists } from "./book-conversions.ts";
import { CONVERSION_GAP, hasPendingConversions, listPendingConversions } from "./pending-conversions.ts";
import { mayListConvertedQuestions } from "./read-conversion.ts";

/**
 * Provider transactions booked in one database transaction. An event may have a hundred questions, each with
 * its own entry.
 */
const CONVERSIONS_AT_ONCE = 20;
/**
 * Events read in one call of this function. A trader with conversions in more events keeps its gap until its
 * next sync. Each minute selects other events, so that events whose conversions cannot be booked do not block
 * the rest.
 */
const EVENTS_AT_ONCE = 50;
const ROTATION_MS = 60_000;

type ConversionProvider = Pick<Provider, "findMarkets" | "findQuestions">;

/**
 * Books the provable conversions of a trader and closes its gap once none is pending. Call it when a walk has
 * read the trader's activity to the end: a page may end in the middle of a transaction, and only all of its
 * rows show what it converted. The result depends only on the stored rows and the provider's markets, so a
 * second call changes nothing.
 */
export async function bookPendingConversions(
  pool: Pool,
  provider: ConversionProvider,
  traderId: number,
  now: () => Date,
): Promise<void> {
  const pending = await inTransaction(pool, (session) => listPendingConversions(session, traderId, null));
  const provable = [...pending].filter(([, rows]) => mayListConvertedQuestions(rows));
  if (provable.length > 0) {
    const conditionIds = new Set(provable.flatMap(([, rows]) => rows.map((row) => row.conditionId)));
    const lists = await listQuestions(pool, provider, [...conditionIds], now);
    const txHashes = provable.map(([txHash]) => txHash);
    for (const group of chunk(txHashes, CONVERSIONS_AT_ONCE)) {
      await inTransaction(pool, async (session) => {
        await lockLedger(session);
        await bookConversions(session, traderId, group, lists);
      });
    }
  }
  await inTransaction(pool, async (session) => {
    // Pages of activity are applied under this lock, so no row can be added between the check and the update.
    await lockLedger(session);
    if (await hasPendingConversions(session, traderId, null)) return;
    await session
      .update(traderSyncs)
      .set({ gaps: sql`array_remove(${traderSyncs.gaps}, ${CONVERSION_GAP})` })
      .where(eq(traderSyncs.traderId, traderId));
  });
}

/**
 * The complete question lists of the events of these conditions. Their markets are hydrated as far as the
 * provider has them.
 */
async function listQuestions(
  pool: Pool,
  provider: ConversionProvider,
  conditionIds: readonly string[],
  now: () => Date,
): Promise<QuestionLists> {
  await hydrateMarkets(pool, provider, conditionIds, now);
  const rotation = Math.floor(now().getTime() / ROTATION_MS);
  const rows = await selectRows(
    sessionOf(pool),
    sql`select id from (
       select ${ev.providerEventId} as id, row_number() over (order by ${ev.providerEventId}) - 1 as slot, count(*)
         over () as events
       from ${m} join ${ev} on ${ev.id} = ${m.eventId}
       where ${m.conditionId} = any(${array(conditionIds, "text")}) and ${m.negRisk} and ${m.protocolVersion} = 'v1'
         and ${ev.providerEventId} is not null
       group by ${ev.providerEventId}
     ) named
     where (slot - ${rotation}::bigint * ${EVENTS_AT_ONCE}::bigint % events + events) % events < ${EVENTS_AT_ONCE}
     order by id`,
    z.object({ id: z.string() }),
  );
  const lists = new Map<string, readonly string[]>();
  for (const { id } of rows) {
    const list = (await provider.findQuestions(id)) ?? [];
    await hydrateMarkets(pool, provider, list, now);
    for (const conditionId of list) lists.set(conditionId, list);
  }
  return lists;
}
