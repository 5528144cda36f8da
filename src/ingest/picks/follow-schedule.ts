import type { Pool } from "@neondatabase/serverless";
import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { inTransaction, type Session } from "../../db/client.ts";
import { picks } from "../../db/schema.ts";
import { epochMs, integer, selectRows } from "../../db/sql.ts";
import { commitmentInstant } from "../../domain/picks/commitment.ts";
import { productDayOf, releaseAt } from "../../domain/picks/pick-schedule.ts";
import { g, isWithdrawn, k } from "../../db/fragments/picks.ts";
import { withdrawPick } from "./withdraw-pick.ts";

const Moved = z.object({ id: integer, pick_date: z.string(), kickoff_ms: z.number().nullable() });

/**
 * Moves slots with the schedules of their games. A slot stays in its product day: one whose game moves to another
 * day, or has no time any more, is withdrawn. Published picks keep their kickoff.
 */
export const followSchedule = (pool: Pool, now: Date): Promise<void> =>
  inTransaction(pool, async (session) => {
    const moved = await selectRows(
      session,
      sql`select ${k.id}, ${k.pickDate}::text as pick_date, ${epochMs(g.scheduledAt)} as kickoff_ms
       from ${k} join ${g} on ${g.id} = ${k.gameId}
       where ${k.publishedAt} is null and not ${isWithdrawn(k.id)} and ${g.scheduledAt} is distinct from ${k.kickoff}
       order by ${k.id} for update of k`,
      Moved,
    );
    for (const slot of moved) await moveSlot(session, slot, now);
  });

async function moveSlot(session: Session, slot: z.output<typeof Moved>, now: Date): Promise<void> {
  const kickoff = slot.kickoff_ms === null ? null : new Date(slot.kickoff_ms);
  if (kickoff === null || commitmentInstant(kickoff) === null || productDayOf(kickoff) !== slot.pick_date)
    await withdrawPick(session, slot.id, "rescheduled", now);
  else
    await session
      .update(picks)
      .set({ kickoff, releaseAt: releaseAt(kickoff) })
      .where(and(eq(picks.id, slot.id), isNull(picks.publishedAt)));
}
