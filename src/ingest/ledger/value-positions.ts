import type { Pool } from "@neondatabase/serverless";
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { o, p } from "../../db/aliases.ts";
import { atCommit, inTransaction, type Connection, type Session } from "../../db/client.ts";
import { isOpen } from "../../db/fragments/open-positions.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { outcomes, positions } from "../../db/schema.ts";
import { array, columnName, run, selectRow, selectRows, type Columns } from "../../db/sql.ts";
import { findCheckpoint, saveCheckpoint, PositionValuationState } from "../feeds/checkpoints.ts";
import { positionValue } from "./position-value.ts";

/** Maximum number of outcomes in one run. */
const OUTCOMES_PER_RUN = 1_000;
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
 * Most positions are written a bounded number per statement, without a lock on their outcomes. A page that is
 * applied meanwhile still writes the old price. The remaining positions, and with them `valued_price`, are therefore
 * written under the lock of `lockValuedPrices`: fills recorded later read the new price, and fills recorded earlier
 * are corrected here. Before the first value is written, the outcomes are stored as unfinished. They are valued again until
 * their `valued_price` is written: after a crash, and when the price has returned to `valued_price` before.
 *
 * It takes no lock that it would have to wait for, so it waits for no page and deadlocks with no writer. What another
 * transaction has locked stays due.
 *
 * @returns whether more outcomes are left in this round
 */
export async function valuePositions(pool: Pool): Promise<boolean> {
  const { after, unfinished, due } = await inTransaction(pool, beginRun);
  if (due.length === 0 && after === 0) return false;
  for (let written = POSITIONS_PER_STATEMENT; written === POSITIONS_PER_STATEMENT;) {
    written = await inTransaction(pool, (session) => writeValues(session, due, POSITIONS_PER_STATEMENT));
  }
  return inTransaction(pool, async (session) => {
    const reached = Math.max(after, Number(due.at(-1)?.id ?? 0));
    const free = await lockFreeOutcomes(session, due);
    // Pages wait for these outcomes until the commit.
    const [, finished, isStaleAfter] = await Promise.all([
      writeValues(session, free, null),
      writeValuedPrices(session, free),
      hasStaleOutcomeAfter(session, reached),
    ]);
    const hasMore = due.length > 0 && isStaleAfter;
    const state = { after: hasMore ? reached : 0, unfinished: unfinished.filter((id) => !finished.has(id)) };
    await atCommit(session, (last) => saveCheckpoint(last, FEED, state));
    return hasMore;
  });
}

/** Lists the outcomes of a run and stores them as unfinished. */
async function beginRun(session: Session): Promise<PositionValuationState & { readonly due: StaleOutcome[] }> {
  const { after, unfinished: left } = (await findCheckpoint(session, FEED, PositionValuationState)) ?? START;
  const due = await listDue(session, after, left);
  const unfinished = [...new Set([...left, ...due.map(({ id }) => id)])];
  if (due.length > 0) await atCommit(session, (last) => saveCheckpoint(last, FEED, { after, unfinished }));
  return { after, unfinished, due };
}

const START: PositionValuationState = { after: 0, unfinished: [] };

/** The stale outcomes after an id, and those that are unfinished. */
const listDue = (session: Session, after: number, unfinished: readonly string[]): Promise<StaleOutcome[]> =>
  selectRows(
    session,
    sql`select id, price from (
       select o.id, o.mark_price::text as price,
         coalesce(sum(open_positions.count) over (order by o.id rows between unbounded preceding and 1 preceding), 0)
           as positions_before
       from (
         (select ${outcomes.id}, ${outcomes.markPrice} from ${outcomes}
           where ${outcomes.id} = any(${array(unfinished, "bigint")}))
         union
         (select ${outcomes.id}, ${outcomes.markPrice} from ${outcomes}
           where ${isStale(outcomes)} and ${outcomes.id} > ${after} order by ${outcomes.id} limit ${OUTCOMES_PER_RUN})
       ) o
       cross join lateral (
         select count(*) as count from ${p} where ${p.outcomeId} = o.id and ${isOpen(p)}
       ) open_positions
     ) stale where positions_before < ${POSITIONS_PER_RUN} order by id`,
    StaleOutcome,
  );

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

/**
 * Skips positions that a page has locked, to avoid deadlocks.
 * @param limit null for all of them
 * @returns how many positions were written
 */
function writeValues(session: Session, due: readonly StaleOutcome[], limit: number | null): Promise<number> {
  return run(
    session,
    sql`with stale as (
       ${stalePositions(due)} ${limit === null ? sql`` : sql`limit ${sql.raw(String(limit))}`} for update of p skip locked
     )
     update ${p} set ${columnName(positions.valueMicro)} = stale.value_micro
     from stale where ${p.traderId} = stale.trader_id and ${p.outcomeId} = stale.outcome_id`,
  );
}

/** Locks the outcomes that no other transaction writes or has read through `lockValuedPrices`. */
async function lockFreeOutcomes(session: Session, due: readonly StaleOutcome[]): Promise<StaleOutcome[]> {
  const ids = due.map(({ id }) => id);
  const rows = await selectRows(
    session,
    sql`select ${outcomes.id} from ${outcomes} where ${outcomes.id} = any(${array(ids, "bigint")})
     for no key update skip locked`,
    z.object({ id: z.string() }),
  );
  const free = new Set(rows.map(({ id }) => id));
  return due.filter(({ id }) => free.has(id));
}

/**
 * An outcome with a position that another transaction has locked stays unfinished.
 *
 * @returns the ids of the others
 */
async function writeValuedPrices(session: Session, free: readonly StaleOutcome[]): Promise<ReadonlySet<string>> {
  const rows = await selectRows(
    session,
    sql`update ${o} set ${columnName(outcomes.valuedPrice)} = t.price
     from ${pricesOf(free)}
     where ${o.id} = t.outcome_id and not exists (
       select from ${p} where ${p.outcomeId} = t.outcome_id and ${isOpen(p)} and ${p.valueMicro} is distinct from ${VALUE})
     returning ${o.id}`,
    z.object({ id: z.string() }),
  );
  return new Set(rows.map(({ id }) => id));
}

/** In order: Postgres expects nearly every outcome to be stale, and would look for one in the table without the index of those. */
export async function hasStaleOutcomeAfter(session: Connection, id: number): Promise<boolean> {
  const stale = await selectRow(
    session,
    sql`select ${outcomes.id} from ${outcomes} where ${isStale(outcomes)} and ${outcomes.id} > ${id}
     order by ${outcomes.id} limit 1`,
    z.object({}),
  );
  return stale !== null;
}
