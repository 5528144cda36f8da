import { sql } from "drizzle-orm";
import { z } from "zod";
import { l, s, t, totals } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { trendingEntries } from "../../db/schema.ts";
import { epochMs, selectRow } from "../../db/sql.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import type { TrackingReasons } from "../../domain/traders/tracking.ts";

const StateRow = z.object({
  grade: z.enum(GRADES).nullable(),
  is_on_board: z.boolean(),
  large_trade_ms: z.number().nullable(),
  active_ms: z.number().nullable(),
  gaps: z.array(z.string()),
  is_complete: z.boolean(),
});

/** What is stored of a followed trader before a page of its activity is. */
export interface SyncState {
  readonly reasons: TrackingReasons;
  readonly gaps: readonly string[];
  /** A walk has read its activity to the end. */
  readonly isComplete: boolean;
}

/** Null when the trader is no longer followed. Only holders of the ledger lock change gaps and completeness. */
export async function readSyncState(session: Session, traderId: number): Promise<SyncState | null> {
  const row = await selectRow(
    session,
    sql`select ${t.grade}, ${s.gaps}, ${s.completeAt} is not null as is_complete,
       exists (select from ${trendingEntries} where ${trendingEntries.traderId} = ${t.id}) as is_on_board,
       (select ${epochMs(sql`max(${l.tradedAt})`)} from ${l} where ${l.traderId} = ${t.id}) as large_trade_ms,
       ${epochMs(totals.lastAt)} as active_ms
     from ${t} join ${s} on ${s.traderId} = ${t.id}
     left join ${totals} on ${totals.traderId} = ${t.id}
     where ${t.id} = ${traderId}`,
    StateRow,
  );
  if (row === null) return null;
  return {
    reasons: {
      grade: row.grade,
      isOnBoard: row.is_on_board,
      lastLargeTradeAt: toDate(row.large_trade_ms),
      lastActiveAt: toDate(row.active_ms),
    },
    gaps: row.gaps,
    isComplete: row.is_complete,
  };
}

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
