import type { Pool } from "@neondatabase/serverless";
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { o, p } from "../../db/aliases.ts";
import { inTransaction, type Session } from "../../db/client.ts";
import { isOpen } from "../../db/fragments/open-positions.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { outcomes, positions } from "../../db/schema.ts";
import { array, columnName, run, selectRow, selectRows, type Columns } from "../../db/sql.ts";
import { findCheckpoint, saveCheckpoint, PositionValuationState } from "../feeds/checkpoints.ts";
import { lockLedger } from "./record-ledger-entries.ts";
import { positionValue } from "./position-value.ts";

/** Maximum number of outcomes in one run. */
const OUTCOMES_PER_RUN = 200;
/**
 * A run takes no further outcome after this many positions. It always takes one, however many positions that
 * has.
 */
const POSITIONS_PER_RUN = 20_000;
/** Positions written in one statement, so that none stays locked for long. */
const POSITIONS_PER_STATEMENT = 5_000;

const FEED = "values";

/**
 * An outcome whose positions are valued at a price other than its mark price. `price` is the mark price; null
 * if it has none any more.
 */
const StaleOutcome = z.object({ id: z.string(), price: z.string().nullable() });

type StaleOutcome = z.output<typeof StaleOutcome>;

/**
 * Values positions at the current mark prices of their outcomes, by outcome id in rounds, so that outcomes
 * with constantly changing prices do not block the others.
 *
 * Most positions are written without the ledger lock, a bounded number per statement. A page that is applied
 * meanwhile still writes the old price. The remaining positions, and with them `valued_price`, are therefore
 * written under the lock: fills recorded later read the new price, and fills recorded earlier are corrected
 * here. A run that crashes in between has only written values that the next run would write.
 *
 * @returns whether more outcomes are left in this round
 */
export async function valuePositions(pool: Pool): Promise<boolean> {
  const { after, due } = await inTransaction(pool, listStaleOutcomes);
  if (due.length === 0 && after === 0) return false;
  for (let written = POSITIONS_PER_STATEMENT; written === POSITIONS_PER_STATEMENT;) {
    written = await inTransaction(pool, (session) => writeSomeValues(session, due));
  }
  return inTransaction(pool, async (session) => {
    await lockLedger(session);
    await writeRemainingValues(session, due);
    await writeValuedPrices(session, due);
    const hasMore = await hasStaleOutcomeAfter(session, due.at(-1)?.id ?? null);
    await saveCheckpoint(session, FEED, { after: hasMore ? Number(due.at(-1)?.id) : 0 });
    return hasMore;
  });
}

async function listStaleOutcomes(session: Session): Promise<{ after: number; due: StaleOutcome[] }> {
  const { after } = (await findCheckpoint(session, FEED, PositionValuationState)) ?? { after: 0 };
  const due = await selectRows(
    session,
    sql`select id, price from (
       select o.id, o.mark_price::text as price,
         coalesce(sum(open_positions.count) over (order by o.id rows between unbounded preceding and 1 preceding), 0)
           as positions_before
       from (
         select ${outcomes.id}, ${outcomes.markPrice} from ${outcomes}
         where ${isStale(outcomes)} and ${outcomes.id} > ${after} order by ${outcomes.id} limit ${OUTCOMES_PER_RUN}
       ) o
       cross join lateral (
         select count(*) as count from ${p} where ${p.outcomeId} = o.id and ${isOpen(p)}
       ) open_positions
     ) stale where positions_before < ${POSITIONS_PER_RUN} order by id`,
    StaleOutcome,
  );
  return { after, due };
}

const isStale = (outcome: Columns<typeof outcomes, "markPrice" | "valuedPrice">): SQL =>
  sql`${outcome.markPrice} is distinct from ${outcome.valuedPrice}`;

const VALUE = positionValue({ shares: p.sharesMicro, settled: p.settledMicro, price: sql`t.price` });

const pricesOf = (due: readonly StaleOutcome[]): SQL =>
  recordset("t", due, { outcome_id: ["bigint", ({ id }) => id], price: ["numeric", ({ price }) => price] });

/** The open positions of the given outcomes whose value differs from the value at the given price. */
const stalePositions = (due: readonly StaleOutcome[]): SQL => sql`
  select ${p.traderId}, ${p.outcomeId}, ${VALUE} as value_micro
  from ${pricesOf(due)}
  join ${p} on ${p.outcomeId} = t.outcome_id
  where ${isOpen(p)} and ${p.valueMicro} is distinct from ${VALUE}`;

const writeValues = (stale: SQL): SQL => sql`
  with stale as (${stale})
  update ${p} set ${columnName(positions.valueMicro)} = stale.value_micro
  from stale where ${p.traderId} = stale.trader_id and ${p.outcomeId} = stale.outcome_id`;

/**
 * Skips positions that a page has locked, to avoid deadlocks.
 * @returns how many positions were written
 */
function writeSomeValues(session: Session, due: readonly StaleOutcome[]): Promise<number> {
  const stale = stalePositions(due);
  return run(
    session,
    writeValues(sql`${stale} limit ${sql.raw(String(POSITIONS_PER_STATEMENT))} for update of p skip locked`),
  );
}

async function writeRemainingValues(session: Session, due: readonly StaleOutcome[]): Promise<void> {
  await run(session, writeValues(stalePositions(due)));
}

/**
 * Skips an outcome whose book is being written now; it stays due. Waiting for it while holding the ledger
 * lock could deadlock.
 */
async function writeValuedPrices(session: Session, due: readonly StaleOutcome[]): Promise<void> {
  const ids = due.map(({ id }) => id);
  await run(
    session,
    sql`with free as (
       select ${outcomes.id} from ${outcomes} where ${outcomes.id} = any(${array(ids, "bigint")}) for update skip locked
     )
     update ${o} set ${columnName(outcomes.valuedPrice)} = t.price
     from ${recordset("t", due, { id: ["bigint", ({ id }) => id], price: ["numeric", ({ price }) => price] })}
     join free using (id) where ${o.id} = t.id`,
  );
}

/** @param id null when the round has no outcomes left */
async function hasStaleOutcomeAfter(session: Session, id: string | null): Promise<boolean> {
  if (id === null) return false;
  const stale = await selectRow(
    session,
    sql`select from ${outcomes} where ${isStale(outcomes)} and ${outcomes.id} > ${id} limit 1`,
    z.object({}),
  );
  return stale !== null;
}
