import type { Pool } from "@neondatabase/serverless";
import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import { inTransaction, type Session } from "../../db/client.ts";
import { isGameOff } from "../../db/fragments/game-off.ts";
import { g, hasOutcome, isWithdrawn, k } from "../../db/fragments/picks.ts";
import { picks } from "../../db/schema.ts";
import { epochMs, integer, selectRows } from "../../db/sql.ts";
import { commitmentInstant } from "../../domain/picks/commitment.ts";
import { productDayOf, releaseAt } from "../../domain/picks/pick-schedule.ts";
import { withdrawPick, type WithdrawalReason } from "./withdraw-pick.ts";

export interface FollowedPick {
  readonly pickDate: string;
  readonly kickoff: Date;
  readonly isPublished: boolean;
}

/** A pick's game as the provider describes it now. */
export interface FollowedGame {
  readonly scheduledAt: Date | null;
  readonly isOff: boolean;
  /** It has an event; false once another game has taken it. */
  readonly isServed: boolean;
  /** It is reported as live or ended. */
  readonly hasStarted: boolean;
}

export type FollowDecision =
  | { readonly kind: "keep" }
  /** The slot takes the game's schedule. */
  | { readonly kind: "move"; readonly kickoff: Date }
  | { readonly kind: "withdraw"; readonly reason: WithdrawalReason };

const KEEP: FollowDecision = { kind: "keep" };

/** What happens to a pick whose market has no result, by its game as it is now. */
export function decideFollow({ pickDate, kickoff, isPublished }: FollowedPick, game: FollowedGame): FollowDecision {
  const { scheduledAt } = game;
  if (game.isOff) return { kind: "withdraw", reason: "game_off" };
  if (isPublished) {
    // Without a time the game may still be played that day, and one that has begun is.
    const isOtherDay = scheduledAt !== null && productDayOf(scheduledAt) !== pickDate;
    return isOtherDay && !game.hasStarted ? { kind: "withdraw", reason: "rescheduled" } : KEEP;
  }
  if (!game.isServed) return { kind: "withdraw", reason: "game_off" };
  if (scheduledAt?.getTime() === kickoff.getTime()) return KEEP;
  const isSealable = scheduledAt !== null && commitmentInstant(scheduledAt) !== null;
  if (!isSealable || productDayOf(scheduledAt) !== pickDate) return { kind: "withdraw", reason: "rescheduled" };
  return { kind: "move", kickoff: scheduledAt };
}

const Followed = z.object({
  id: integer,
  pick_date: z.string(),
  kickoff_ms: z.number(),
  is_published: z.boolean(),
  scheduled_ms: z.number().nullable(),
  is_off: z.boolean(),
  is_served: z.boolean(),
  has_started: z.boolean(),
});

/**
 * Moves slots with the schedules of their games, and withdraws the picks of games that are off or on another product
 * day. Published picks keep their kickoff. One whose market has a result, or ever had one, is never withdrawn: a miss
 * could leave the record.
 */
export const followGames = (pool: Pool, now: Date): Promise<void> =>
  inTransaction(pool, async (session) => {
    for (const row of await listFollowed(session)) await followGame(session, row, now);
  });

/** Picks that may move or be withdrawn, locked. The anti-joins come first: almost every pick is settled. */
export const listFollowed = (session: Session): Promise<z.output<typeof Followed>[]> =>
  selectRows(
    session,
    sql`select ${k.id}, ${k.pickDate}::text as pick_date, ${epochMs(k.kickoff)} as kickoff_ms,
       ${k.publishedAt} is not null as is_published, ${epochMs(g.scheduledAt)} as scheduled_ms, ${isGameOff(g)} as is_off,
       ${g.eventId} is not null as is_served, (${g.live} is true or ${g.ended} is true) as has_started
     from ${k} join ${g} on ${g.id} = ${k.gameId} join ${m} on ${m.id} = ${k.marketId}
     where not ${hasOutcome(k.id)} and not ${isWithdrawn(k.id)} and (${k.publishedAt} is null or ${m.payoutsPpm} is null)
       and (${isGameOff(g)} or ${g.eventId} is null or ${g.scheduledAt} is distinct from ${k.kickoff})
     order by ${k.id} for update of k`,
    Followed,
  );

async function followGame(session: Session, row: z.output<typeof Followed>, now: Date): Promise<void> {
  const decision = decideFollow(
    { pickDate: row.pick_date, kickoff: new Date(row.kickoff_ms), isPublished: row.is_published },
    {
      scheduledAt: row.scheduled_ms === null ? null : new Date(row.scheduled_ms),
      isOff: row.is_off,
      isServed: row.is_served,
      hasStarted: row.has_started,
    },
  );
  if (decision.kind === "withdraw") await withdrawPick(session, row.id, decision.reason, now);
  if (decision.kind === "move")
    await session
      .update(picks)
      .set({ kickoff: decision.kickoff, releaseAt: releaseAt(decision.kickoff) })
      .where(and(eq(picks.id, row.id), isNull(picks.publishedAt)));
}
