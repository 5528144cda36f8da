import type { Pool } from "@neondatabase/serverless";
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e } from "../../db/aliases.ts";
import { inTransaction, type Session } from "../../db/client.ts";
import { isPriced, newestFillFirst, oldestFillFirst } from "../../db/fragments/priced-fills.ts";
import { outcomeDays } from "../../db/schema.ts";
import { alias, columnName, columnNames, excluded, integer, run, selectRow, setEach } from "../../db/sql.ts";
import { findCheckpoint, saveCheckpoint } from "../feeds/checkpoints.ts";

const known = alias(outcomeDays, "known");

const FEED = "signals:candles";
/** The last ledger entry that is part of its day. */
const CandleCheckpoint = z.object({ entry_id: z.number().int() });
const ENTRIES_AT_ONCE = 20_000;

/**
 * The price of the first fill of `fresh`'s outcome and day in the given order, among the entries up to the id
 * `to`. An index has a market's fills by time, so few rows are read.
 */
const selectPrice = (order: SQL, to: number): SQL => sql`
  select ${e.price} from ${e}
  where ${e.marketId} = fresh.market_id and ${e.outcomeId} = fresh.outcome_id and ${e.id} <= ${to} and ${isPriced(e)}
    and ${e.tradedAt} >= fresh.day::timestamp at time zone 'UTC'
      and ${e.tradedAt} < (fresh.day + 1)::timestamp at time zone 'UTC'
  order by ${order} limit 1`;

/**
 * Updates the days of outcomes with the entries recorded since the last run. Entries are never removed, so a
 * day's high and low only widen. The open and close of a known day are looked up again, because a late fill may be the day's
 * first or last. The rule is `candlesOf` of src/scoring/signals/candles.ts.
 *
 * Continuing from an id misses nothing: entries are recorded under the ledger lock, which is held until
 * commit, so an entry becomes visible before any higher id is assigned.
 *
 * @returns whether more entries are left
 */
export async function buildOutcomeDays(pool: Pool): Promise<boolean> {
  return inTransaction(pool, async (session) => {
    const from = (await findCheckpoint(session, FEED, CandleCheckpoint))?.entry_id ?? 0;
    const next = await selectRow(
      session,
      sql`select max(id) as last, count(*) as entries
       from (select ${e.id} from ${e} where ${e.id} > ${from} order by ${e.id} limit ${ENTRIES_AT_ONCE}) next`,
      z.object({ last: integer.nullable(), entries: integer }),
    );
    if (next === null || next.last === null) return false;
    await writeOutcomeDays(session, from, next.last);
    const checkpoint: z.output<typeof CandleCheckpoint> = { entry_id: next.last };
    await saveCheckpoint(session, FEED, checkpoint);
    return next.entries === ENTRIES_AT_ONCE;
  });
}

/** SQL condition: all fills of `fresh`'s outcome and day that set a price are in `fresh`. */
const isNewDay: SQL = sql`(
  select ${known.open} from ${known} where ${known.outcomeId} = fresh.outcome_id and ${known.day} = fresh.day) is null`;

/** Adds the entries after `from`, up to `to`, to their days. An unchanged day is not written. */
async function writeOutcomeDays(session: Session, from: number, to: number): Promise<void> {
  const { outcomeId, day, open, high, low, close } = outcomeDays;
  await run(
    session,
    sql`with fresh as (
       select ${e.marketId}, ${e.outcomeId}, (${e.tradedAt} at time zone 'UTC')::date as day, max(${e.price}) as high,
         min(${e.price}) as low, (array_agg(${e.price} order by ${oldestFillFirst(e)}))[1] as open,
         (array_agg(${e.price} order by ${newestFillFirst(e)}))[1] as close
       from ${e} where ${e.id} > ${from} and ${e.id} <= ${to} and ${isPriced(e)}
       group by 1, 2, 3
     )
     insert into ${outcomeDays} (${columnNames(outcomeId, day, open, high, low, close)})
     select fresh.outcome_id, fresh.day,
       case when ${isNewDay} then fresh.open else (${selectPrice(oldestFillFirst(e), to)}) end, fresh.high, fresh.low,
       case when ${isNewDay} then fresh.close else (${selectPrice(newestFillFirst(e), to)}) end
     from fresh
     on conflict (${columnNames(outcomeId, day)}) do update set ${setEach([open, close], excluded)},
       ${columnName(high)} = greatest(${high}, excluded.high), ${columnName(low)} = least(${low}, excluded.low)
     where ${open} <> excluded.open or ${high} < excluded.high or ${low} > excluded.low or ${close} <> excluded.close`,
  );
}
