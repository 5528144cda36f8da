import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";

/** How many expired counts one more removes, so that there are never many. */
const SWEPT = 20;

/** Whom a mail is counted for, and how many a window holds. */
export interface MailLimit {
  readonly subject: string;
  readonly most: number;
}

const Decided = z.object({ admitted: z.boolean(), opened_ms: z.number().nullable() });

/**
 * Counts one mail for every subject, if all of them have room, each in the window it is in or in a new one. A refusal writes nothing, so that
 * it uses up no allowance.
 *
 * @returns null when counted, else when the last of the full windows was opened
 */
export async function countSignInMail(db: Database, limits: readonly MailLimit[], windowMs: number, now: Date): Promise<Date | null> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const openSince = sql`${new Date(now.getTime() - windowMs).toISOString()}::timestamptz`;
  const asked = sql`jsonb_to_recordset(${JSON.stringify(limits)}::jsonb) as a (subject text, most int)`;
  const [, decided] = await db.batch([
    // Locks and not rows: most subjects have no row yet. In one order, so that two requests with the same subjects do not wait for each other.
    db.execute(sql`
      select pg_advisory_xact_lock(hashtextextended('sign-in mail ' || subject, 0))
      from (select a.subject from ${asked} order by a.subject offset 0) ordered`),
    db.execute(sql`
      with room as (
        select a.subject, a.most, m.sent, m.window_started_at
        from ${asked} left join sign_in_mails m on m.subject = a.subject and m.window_started_at > ${openSince}
      ), verdict as (
        select coalesce(bool_and(coalesce(sent, 0) < most), false) as admitted, max(window_started_at) filter (where sent >= most) as opened_at from room
      ), swept as (
        delete from sign_in_mails where (select admitted from verdict) and subject in (
          select m.subject from sign_in_mails m where m.window_started_at <= ${openSince} and m.subject not in (select subject from room)
          limit ${SWEPT} for update skip locked)
      ), counted as (
        insert into sign_in_mails (subject, sent, window_started_at)
        select subject, coalesce(sent, 0) + 1, coalesce(window_started_at, ${at}) from room where (select admitted from verdict)
        on conflict (subject) do update set sent = excluded.sent, window_started_at = excluded.window_started_at
      )
      select admitted, (extract(epoch from opened_at) * 1000)::float8 as opened_ms from verdict`),
  ]);
  const [verdict] = z.array(Decided).parse(decided.rows);
  if (verdict === undefined) throw new Error("the statement decided nothing");
  return verdict.admitted ? null : new Date(verdict.opened_ms ?? now.getTime());
}
