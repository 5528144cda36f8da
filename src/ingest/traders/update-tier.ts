import { and, eq, ne, sql } from "drizzle-orm";
import { z } from "zod";
import { l, t, totals } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { traders, trendingEntries } from "../../db/schema.ts";
import { epochMs, selectRow } from "../../db/sql.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import { decideTier, type Tier } from "../../domain/traders/tracking.ts";

const TierInputs = z.object({
  grade: z.enum(GRADES).nullable(),
  is_on_board: z.boolean(),
  large_trade_ms: z.number().nullable(),
  active_ms: z.number().nullable(),
});

/** Moves a trader whose activity has just been read to the end to its due tracking tier, up or down. */
export async function updateTier(session: Session, traderId: number, now: Date): Promise<Tier> {
  const row = await selectRow(
    session,
    sql`select ${t.grade},
       exists (select from ${trendingEntries} where ${trendingEntries.traderId} = ${t.id}) as is_on_board,
       (select ${epochMs(sql`max(${l.tradedAt})`)} from ${l} where ${l.traderId} = ${t.id}) as large_trade_ms,
       ${epochMs(totals.lastAt)} as active_ms
     from ${t} left join ${totals} on ${totals.traderId} = ${t.id}
     where ${t.id} = ${traderId}`,
    TierInputs,
  );
  if (row === null) throw new Error(`no row for trader ${traderId}`);
  const { grade, is_on_board: isOnBoard, large_trade_ms: largeMs, active_ms: activeMs } = row;
  const tier = decideTier({ grade, isOnBoard, lastLargeTradeAt: toDate(largeMs), lastActiveAt: toDate(activeMs) }, now);
  await session
    .update(traders)
    .set({ tier })
    .where(and(eq(traders.id, traderId), ne(traders.tier, tier)));
  return tier;
}

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
