import type { Pool } from "@neondatabase/serverless";
import { inTransaction, type Session } from "../../db/client.ts";
import { findCheckpoint, saveCheckpoint, ValuesState } from "../checkpoints.ts";
import { lockLedger } from "../ledger/record-entries.ts";
import { positionValue } from "./position-value.ts";

/** Outcomes of one run. */
const OUTCOMES_A_RUN = 200;
/** Positions after which a run takes no further outcome; it always takes one, however many hold it. */
const POSITIONS_A_RUN = 20_000;
/** Positions written at once, so that none stays locked for long. */
const POSITIONS_A_STATEMENT = 5_000;

const FEED = "values";

/** An outcome whose positions are valued at another price than its mark price, and that mark price; null: it has none any more. */
interface Revalued {
  readonly id: string;
  readonly price: string | null;
}

/**
 * Brings positions to the mark prices of their outcomes, by outcome id and round again, so that outcomes whose price never rests hold up no
 * others.
 *
 * Most positions are written without the ledger lock, a bounded number a statement. A page applied meanwhile still writes the old price: so
 * the rest, and with them `valued_price`, are written under the lock. Whoever records fills after that reads the new price; whoever did before
 * is put right here. A run that dies between has only written values that the next one would write.
 *
 * @returns whether outcomes further on wait
 */
export async function valuePositions(pool: Pool): Promise<boolean> {
  const { after, due } = await inTransaction(pool, listRevalued);
  if (due.length === 0 && after === 0) return false;
  for (let written = POSITIONS_A_STATEMENT; written === POSITIONS_A_STATEMENT;) {
    written = await inTransaction(pool, (session) => writeSomeValues(session, due));
  }
  return inTransaction(pool, async (session) => {
    await lockLedger(session);
    await writeRemainingValues(session, due);
    await writeValuedPrices(session, due);
    const waits = await findFirstAfter(session, due.at(-1)?.id ?? null);
    await saveCheckpoint(session, FEED, { after: waits ? Number(due.at(-1)?.id) : 0 });
    return waits;
  });
}

async function listRevalued(session: Session): Promise<{ after: number; due: Revalued[] }> {
  const { after } = (await findCheckpoint(session, FEED, ValuesState)) ?? { after: 0 };
  const { rows: due } = await session.query<Revalued>(
    `select id, price from (
       select o.id, o.mark_price::text as price,
         coalesce(sum(held.count) over (order by o.id rows between unbounded preceding and 1 preceding), 0) as held_before
       from (
         select id, mark_price from outcomes where mark_price is distinct from valued_price and id > $1 order by id limit $2
       ) o
       cross join lateral (
         select count(*) as count from positions p where p.outcome_id = o.id and p.settled_micro is null and p.shares_micro > 0
       ) held
     ) revalued where held_before < $3 order by id`,
    [after, OUTCOMES_A_RUN, POSITIONS_A_RUN],
  );
  return { after, due };
}

const VALUE = positionValue({ shares: "p.shares_micro", settled: "p.settled_micro", price: "t.price" });

/** The held positions of the given outcomes that have another value than at the given price. */
const STALE = `
  select p.trader_id, p.outcome_id, ${VALUE} as value_micro
  from unnest($1::bigint[], $2::numeric[]) as t(outcome_id, price)
  join positions p on p.outcome_id = t.outcome_id
  where p.settled_micro is null and p.shares_micro > 0 and p.value_micro is distinct from ${VALUE}`;

const write = (stale: string) => `
  with stale as (${stale})
  update positions p set value_micro = stale.value_micro
  from stale where p.trader_id = stale.trader_id and p.outcome_id = stale.outcome_id`;

const arraysOf = (due: readonly Revalued[]) => [due.map(({ id }) => id), due.map(({ price }) => price)];

/** Passes over positions that a page has locked, so that neither waits for the other. @returns how many were written */
async function writeSomeValues(session: Session, due: readonly Revalued[]): Promise<number> {
  const { rowCount } = await session.query(write(`${STALE} limit ${POSITIONS_A_STATEMENT} for update of p skip locked`), arraysOf(due));
  return rowCount ?? 0;
}

async function writeRemainingValues(session: Session, due: readonly Revalued[]): Promise<void> {
  await session.query(write(STALE), arraysOf(due));
}

/**
 * An outcome whose book is being written at this moment is passed over and stays due: waiting for it, with the ledger locked, could be
 * waiting for each other.
 */
async function writeValuedPrices(session: Session, due: readonly Revalued[]): Promise<void> {
  await session.query(
    `with free as (select id from outcomes where id = any($1::bigint[]) for update skip locked)
     update outcomes o set valued_price = t.price
     from unnest($1::bigint[], $2::numeric[]) as t(id, price) join free using (id) where o.id = t.id`,
    arraysOf(due),
  );
}

/** @param id null when the round has nothing left */
async function findFirstAfter(session: Session, id: string | null): Promise<boolean> {
  if (id === null) return false;
  const { rows } = await session.query(`select from outcomes where mark_price is distinct from valued_price and id > $1 limit 1`, [id]);
  return rows.length > 0;
}
