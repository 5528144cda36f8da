import type { Pool } from "@neondatabase/serverless";
import { z } from "zod";
import { inTransaction, type Session } from "../../db/client.ts";
import { isPriced, newestFillFirst, oldestFillFirst } from "../../db/priced-fills.ts";
import { findCheckpoint } from "../checkpoints.ts";

const FEED = "signals:candles";
/** The last ledger entry whose day is built. */
const Place = z.object({ entry_id: z.number().int() });
const ENTRIES_AT_ONCE = 20_000;

/** Price of the first fill of `fresh`'s outcome and day in an order: an index has a market's fills by time, so a few are looked at. */
const priceOf = (order: string) => `
  select e.price from ledger_entries e
  where e.market_id = fresh.market_id and e.outcome_id = fresh.outcome_id and e.id <= $2 and ${isPriced("e")}
    and e.traded_at >= fresh.day::timestamp at time zone 'UTC' and e.traded_at < (fresh.day + 1)::timestamp at time zone 'UTC'
  order by ${order} limit 1`;

/**
 * Brings the days of outcomes up to date with the entries recorded since the last run. Entries are never taken back, so a day's high and low
 * only widen; its open and close are looked up anew, because a late fill may be the day's first or last. The rule is `candlesOf` of
 * src/scoring/signals/candles.ts.
 *
 * Nothing is missed by going on from an id: entries are recorded under the ledger lock, which is held until its transaction has committed,
 * so who gets higher ids could not take them before the lower ones were visible to everybody.
 *
 * @returns whether more entries wait
 */
export async function buildOutcomeDays(pool: Pool): Promise<boolean> {
  return inTransaction(pool, async (session) => {
    const from = (await findCheckpoint(session, FEED, Place))?.entry_id ?? 0;
    const { rows } = await session.query<{ last: string | null; entries: string }>(
      `select max(id) as last, count(*) as entries
       from (select id from ledger_entries where id > $1 order by id limit $2) next`,
      [from, ENTRIES_AT_ONCE],
    );
    const [next] = rows;
    if (next === undefined || next.last === null) return false;
    await writeDays(session, from, Number(next.last));
    await savePlace(session, { entry_id: Number(next.last) });
    return Number(next.entries) === ENTRIES_AT_ONCE;
  });
}

/** Adds the entries after `from`, up to `to`, to their days. A day that comes out the same is not written. */
async function writeDays(session: Session, from: number, to: number): Promise<void> {
  await session.query(
    `with fresh as (
       select e.market_id, e.outcome_id, (e.traded_at at time zone 'UTC')::date as day, max(e.price) as high, min(e.price) as low
       from ledger_entries e where e.id > $1 and e.id <= $2 and ${isPriced("e")}
       group by 1, 2, 3
     )
     insert into outcome_days (outcome_id, day, open, high, low, close)
     select fresh.outcome_id, fresh.day, (${priceOf(oldestFillFirst("e"))}), fresh.high, fresh.low, (${priceOf(newestFillFirst("e"))})
     from fresh
     on conflict (outcome_id, day) do update set open = excluded.open, high = greatest(outcome_days.high, excluded.high),
       low = least(outcome_days.low, excluded.low), close = excluded.close
     where outcome_days.open <> excluded.open or outcome_days.high < excluded.high or outcome_days.low > excluded.low
       or outcome_days.close <> excluded.close`,
    [from, to],
  );
}

async function savePlace(session: Session, place: z.output<typeof Place>): Promise<void> {
  await session.query(
    `insert into ingest_checkpoints (feed, state) values ($1, $2)
     on conflict (feed) do update set state = excluded.state, updated_at = now()`,
    [FEED, JSON.stringify(place)],
  );
}
