import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, p, s, totals } from "../../db/aliases.ts";
import { atCommit, inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { isCombinationSql } from "../../db/fragments/completeness.ts";
import { combos } from "../../db/schema.ts";
import { alias, columnName, run, selectRow, timestamp } from "../../db/sql.ts";
import { nextComboRead } from "../../domain/combos/read-schedule.ts";
import { COMBINATION_GAP } from "../../domain/traders/trader-completeness.ts";
import { lockSync } from "../ledger/row-locks.ts";
import { bookComboEvents } from "./book-combo-events.ts";
import { hasUnmatchedSplits, listPendingEvents, type PendingEvent } from "./pending-combo-events.ts";

const combo = alias(combos, "combo");
const held = alias(combos, "held");

/**
 * Ends a complete read of a followed trader's combos, in the caller's transaction, which must hold the ledger lock:
 * books its events, closes the gap once every combo is known and every event is booked, and sets the next read. Without events
 * to book it takes one message, which others can join, and the one of the commit.
 */
export async function finishRead(session: Session, traderId: number, now: Date): Promise<void> {
  const [pending, read] = await Promise.all([listPendingEvents(session, traderId), readState(session, traderId)]);
  if (read === null) return;
  const state = pending.length === 0 ? read : await bookEvents(session, traderId, pending);
  if (state !== null) await saveRead(session, traderId, state, now);
}

/**
 * The same without the ledger lock, for a trader without events to book. The row of the sync is locked instead: no page of the
 * trader's activity commits until the read is saved.
 *
 * @returns false, with nothing written, when there are events
 */
export const finishReadWithoutEvents = (pool: Pool, traderId: number, now: Date): Promise<boolean> =>
  inTransaction(pool, async (session) => {
    const [, pending, state] = await Promise.all([
      run(session, lockSync(traderId)),
      listPendingEvents(session, traderId),
      readState(session, traderId),
    ]);
    if (pending.length > 0) return false;
    if (state !== null) await saveRead(session, traderId, state, now);
    return true;
  });

async function saveRead(session: Session, traderId: number, state: ReadState, now: Date): Promise<void> {
  const attempts = state.isOpen ? Math.min(state.attempts + 1, 100) : 0;
  const due = nextComboRead({ attempts, isOpen: state.isOpen, holds: state.holds }, now);
  await atCommit(session, (last) =>
    run(
      last,
      sql`update ${s} set ${columnName(s.combosReadAt)} = ${timestamp(now)}, ${columnName(s.combosCursor)} = null,
         ${columnName(s.combosAttempts)} = ${attempts}::smallint,
         ${columnName(s.combosDueAt)} = ${due?.toISOString() ?? null}::timestamptz,
         ${columnName(s.gaps)} = case when ${state.isOpen}
           then array(select distinct unnest(${s.gaps} || ${COMBINATION_GAP}::text) order by 1)
           else array_remove(${s.gaps}, ${COMBINATION_GAP}) end
       where ${s.traderId} = ${traderId}`,
    ),
  );
}

interface ReadState {
  readonly attempts: number;
  /** The trader holds shares of combos without a result. */
  readonly holds: boolean;
  /** A combo is unknown, or a split or merge is missing. */
  readonly isOpen: boolean;
}

/** Books the events. @returns the state after it, in which events that are still pending count as open */
async function bookEvents(
  session: Session,
  traderId: number,
  pending: readonly PendingEvent[],
): Promise<ReadState | null> {
  await bookComboEvents(session, traderId, pending);
  const [left, state] = await Promise.all([listPendingEvents(session, traderId), readState(session, traderId)]);
  return state === null ? null : { ...state, isOpen: state.isOpen || left.length > 0 };
}

/** One message; null when the trader is not followed. */
async function readState(session: Session, traderId: number): Promise<ReadState | null> {
  const [state, isUnmatched] = await Promise.all([
    selectRow(
      session,
      sql`select ${s.combosAttempts} as attempts, exists (
         select from ${p} join ${m} on ${m.id} = ${p.marketId}
         where ${p.traderId} = ${traderId} and ${p.settledMicro} is null and ${p.sharesMicro} > 0
           and ${isCombinationSql(m.conditionId)}
       ) as holds,
       coalesce((select ${totals.combinationMarkets} from ${totals} where ${totals.traderId} = ${traderId}), 0) as unknown
       from ${s} where ${s.traderId} = ${traderId}`,
      z.object({ attempts: z.number(), holds: z.boolean(), unknown: z.number() }),
    ),
    hasUnmatchedSplits(session, traderId),
  ]);
  if (state === null) return null;
  return { attempts: state.attempts, holds: state.holds, isOpen: state.unknown > 0 || isUnmatched };
}

/**
 * Postpones the trader's combos that are due and still unknown, so that other holders and other combos get their turn. Those
 * that are not due wait for their time, no matter which of their holders is read. Reads become rarer with every attempt and never end. A trader may have a hundred thousand positions, so this is done
 * outside the transaction with the ledger lock: combos that another transaction has locked are due again.
 */
export async function postponeUnknown(pool: Pool, traderId: number, now: Date): Promise<void> {
  await run(
    sessionOf(pool),
    sql`update ${combo} set ${columnName(combo.readAttempts)} = least(${combo.readAttempts} + 1, 100),
       ${columnName(combo.readDueAt)} = ${timestamp(now)}
         + make_interval(mins => (15 * power(2, least(${combo.readAttempts}, 6)))::int)
     where ${combo.marketId} in (
       select ${held.marketId} from ${p} join ${m} on ${m.id} = ${p.marketId} join ${held} on ${held.marketId} = ${p.marketId}
       where ${p.traderId} = ${traderId} and ${m.hydratedAt} is null and ${held.readDueAt} <= ${timestamp(now)}
       for no key update of ${sql.identifier("held")} skip locked)`,
  );
}
