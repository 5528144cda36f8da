import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../db/client.ts";
import type { Provider } from "../../ports/provider.ts";
import { hydrateMarkets } from "../hydrate-markets.ts";
import { lockLedger } from "../ledger/record-entries.ts";
import { bookConversions, type QuestionLists } from "./book-conversions.ts";
import { CONVERSION_GAP, hasPendingConversions, listPendingConversions } from "./pending-conversions.ts";
import { mayNameConverted } from "./read-conversion.ts";

/** Transactions booked in one of ours: an event may have a hundred questions, and each is an entry. */
const CONVERSIONS_AT_ONCE = 20;
/**
 * Events asked for in one go. A wallet with conversions in more has its gap until it is read again, and then others have their turn: those of
 * which nothing can be booked must not keep the rest from being asked for.
 */
const EVENTS_AT_ONCE = 50;
const TURN_MS = 60_000;

type Asked = Pick<Provider, "findMarkets" | "findQuestions">;

/**
 * Books what can be booked of a wallet's conversions and closes its gap once none is left. To be called when a walk has read the wallet's
 * activity to the end: a page may end in the middle of a transaction, and only all of its rows say what it converted. What comes of it
 * depends on the stored rows and the provider's markets alone, not on pages, and doing it again changes nothing.
 */
export async function settleConversions(pool: Pool, provider: Asked, traderId: number, now: () => Date): Promise<void> {
  const pending = await inTransaction(pool, (session) => listPendingConversions(session, traderId, null));
  const readable = [...pending].filter(([, rows]) => mayNameConverted(rows));
  if (readable.length > 0) {
    const conditionIds = new Set(readable.flatMap(([, rows]) => rows.map((row) => row.conditionId)));
    const lists = await listQuestions(pool, provider, [...conditionIds], now);
    const txHashes = readable.map(([txHash]) => txHash);
    for (let start = 0; start < txHashes.length; start += CONVERSIONS_AT_ONCE) {
      await inTransaction(pool, async (session) => {
        await lockLedger(session);
        await bookConversions(session, traderId, txHashes.slice(start, start + CONVERSIONS_AT_ONCE), lists);
      });
    }
  }
  await inTransaction(pool, async (session) => {
    // Pages of activity are applied under this lock: none can add a row between the look and the update.
    await lockLedger(session);
    if (await hasPendingConversions(session, traderId, null)) return;
    await session.query(`update wallet_syncs set gaps = array_remove(gaps, $2) where trader_id = $1`, [traderId, CONVERSION_GAP]);
  });
}

/** The whole lists of the events that these conditions belong to, their markets read in full where the provider has them. */
async function listQuestions(pool: Pool, provider: Asked, conditionIds: readonly string[], now: () => Date): Promise<QuestionLists> {
  await hydrateMarkets(pool, provider, conditionIds, now);
  const { rows } = await pool.query<{ id: string }>(
    `select id from (
       select e.provider_event_id as id, row_number() over (order by e.provider_event_id) - 1 as place, count(*) over () as events
       from markets m join provider_events e on e.id = m.event_id
       where m.condition_id = any($1::text[]) and m.neg_risk and m.protocol_version = 'v1' and e.provider_event_id is not null
       group by e.provider_event_id
     ) named
     where (place - $3::bigint * $2::bigint % events + events) % events < $2 order by id`,
    [conditionIds, EVENTS_AT_ONCE, Math.floor(now().getTime() / TURN_MS)],
  );
  const lists = new Map<string, readonly string[]>();
  for (const { id } of rows) {
    const list = (await provider.findQuestions(id)) ?? [];
    await hydrateMarkets(pool, provider, list, now);
    for (const conditionId of list) lists.set(conditionId, list);
  }
  return lists;
}
