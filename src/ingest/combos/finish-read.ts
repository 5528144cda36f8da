import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, p, s, totals } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isCombinationSql } from "../../db/fragments/completeness.ts";
import { combos } from "../../db/schema.ts";
import { alias, columnName, run, selectRow, timestamp } from "../../db/sql.ts";
import { nextComboRead } from "../../domain/combos/read-schedule.ts";
import { COMBINATION_GAP } from "../../domain/traders/trader-completeness.ts";
import { bookComboEvents } from "./book-combo-events.ts";
import { hasUnmatchedSplits, listPendingEvents } from "./pending-combo-events.ts";

const combo = alias(combos, "combo");

/**
 * Ends a complete read of a followed trader's combos, in the caller's transaction, which must hold the ledger lock:
 * books its events, closes the gap once every combo is known and every event is booked, and sets the next read.
 */
export async function finishRead(session: Session, traderId: number, now: Date): Promise<void> {
  await bookComboEvents(session, traderId);
  const isOpen = !(await isWhole(session, traderId));
  const state = await selectRow(
    session,
    sql`select ${s.combosAttempts} as attempts, exists (
       select from ${p} join ${m} on ${m.id} = ${p.marketId}
       where ${p.traderId} = ${traderId} and ${p.settledMicro} is null and ${p.sharesMicro} > 0
         and ${isCombinationSql(m.conditionId)}
     ) as holds
     from ${s} where ${s.traderId} = ${traderId}`,
    z.object({ attempts: z.number(), holds: z.boolean() }),
  );
  if (state === null) return;
  const attempts = isOpen ? Math.min(state.attempts + 1, 100) : 0;
  const due = nextComboRead({ attempts, isOpen, holds: state.holds }, now);
  await run(
    session,
    sql`update ${s} set ${columnName(s.combosReadAt)} = ${timestamp(now)}, ${columnName(s.combosCursor)} = null,
       ${columnName(s.combosAttempts)} = ${attempts}::smallint,
       ${columnName(s.combosDueAt)} = ${due?.toISOString() ?? null}::timestamptz,
       ${columnName(s.gaps)} = case when ${isOpen}
         then array(select distinct unnest(${s.gaps} || ${COMBINATION_GAP}::text) order by 1)
         else array_remove(${s.gaps}, ${COMBINATION_GAP}) end
     where ${s.traderId} = ${traderId}`,
  );
}

/** Every combo of the trader is known, and everything that its combo activity did to positions is booked. */
async function isWhole(session: Session, traderId: number): Promise<boolean> {
  const row = await selectRow(
    session,
    sql`select ${totals.combinationMarkets} as unknown from ${totals} where ${totals.traderId} = ${traderId}`,
    z.object({ unknown: z.number() }),
  );
  if ((row?.unknown ?? 0) > 0) return false;
  if ((await listPendingEvents(session, traderId)).length > 0) return false;
  return !(await hasUnmatchedSplits(session, traderId));
}

/**
 * Postpones the trader's combos that are still unknown, so that other holders and other combos get their turn.
 * Combos become rarer with every attempt and are never given up.
 */
export async function postponeUnknown(session: Session, traderId: number, now: Date): Promise<void> {
  await run(
    session,
    sql`update ${combo} set ${columnName(combo.readAttempts)} = least(${combo.readAttempts} + 1, 100),
       ${columnName(combo.readDueAt)} = ${timestamp(now)}
         + make_interval(mins => (15 * power(2, least(${combo.readAttempts}, 6)))::int)
     from ${p} join ${m} on ${m.id} = ${p.marketId}
     where ${p.traderId} = ${traderId} and ${combo.marketId} = ${p.marketId} and ${m.hydratedAt} is null`,
  );
}
