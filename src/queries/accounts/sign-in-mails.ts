import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { signInMails } from "../../db/sign-in-tables.ts";
import { alias, columnName, columnNames, epochMs, excluded, setEach, timestamp } from "../../db/sql.ts";

/** How many expired counts each new one deletes, so that there are never many. */
const EXPIRED_PER_MAIL = 20;

/** A subject for which mails are counted, and the maximum per window. */
export interface MailLimit {
  readonly subject: string;
  readonly most: number;
}

const counted = alias(signInMails, "m");

const Verdict = z.object({ admitted: z.boolean(), opened_ms: z.number().nullable() });

/**
 * Counts one mail for every subject if all are below their limit, each in its current window or in a new one.
 * A refusal writes nothing and uses no allowance.
 *
 * @returns null when counted, else the start of the latest full window
 */
export async function countSignInMail(
  db: Database,
  limits: readonly MailLimit[],
  windowMs: number,
  now: Date,
): Promise<Date | null> {
  const { subject, sent, windowStartedAt } = signInMails;
  const at = timestamp(now);
  const openSince = timestamp(new Date(now.getTime() - windowMs));
  const subjects = sql`jsonb_to_recordset(${JSON.stringify(limits)}::jsonb) as a (subject text, most int)`;
  const [, decided] = await db.batch([
    // Advisory locks instead of row locks: most subjects have no row yet. In a fixed order, so that two
    // requests with the same subjects do not deadlock.
    db.execute(sql`
      select pg_advisory_xact_lock(hashtextextended('sign-in mail ' || subject, 0))
      from (select a.subject from ${subjects} order by a.subject offset 0) ordered`),
    db.execute(sql`
      with room as (
        select a.subject, a.most, ${counted.sent}, ${counted.windowStartedAt}
        from ${subjects}
        left join ${counted} on ${counted.subject} = a.subject and ${counted.windowStartedAt} > ${openSince}
      ), verdict as (
        select coalesce(bool_and(coalesce(sent, 0) < most), false) as admitted,
          max(window_started_at) filter (where sent >= most) as opened_at from room
      ), swept as (
        delete from ${signInMails} where (select admitted from verdict) and ${signInMails.subject} in (
          select ${counted.subject} from ${counted} where ${counted.windowStartedAt} <= ${openSince}
            and ${counted.subject} not in (select subject from room)
          limit ${EXPIRED_PER_MAIL} for update skip locked)
      ), counted as (
        insert into ${signInMails} (${columnNames(subject, sent, windowStartedAt)})
        select subject, coalesce(sent, 0) + 1, coalesce(window_started_at, ${at}) from room where (select admitted
          from verdict)
        on conflict (${columnName(subject)}) do update set ${setEach([sent, windowStartedAt], excluded)}
      )
      select admitted, ${epochMs(sql`opened_at`)} as opened_ms from verdict`),
  ]);
  const [verdict] = z.array(Verdict).parse(decided.rows);
  if (verdict === undefined) throw new Error("the statement returned no verdict");
  return verdict.admitted ? null : new Date(verdict.opened_ms ?? now.getTime());
}
