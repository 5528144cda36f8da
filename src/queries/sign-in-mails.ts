import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { selectRows } from "./rows.ts";

const Counted = z.object({ subject: z.string(), sent: z.number().int(), opened_ms: z.number() });

/** How many expired counts one more removes, so that there are never many. */
const SWEPT = 20;

/**
 * Counts one mail for each subject in the window it is in, or in a new one.
 *
 * @returns by subject, how many its window has now and when it was opened
 */
export async function countSignInMail(
  db: Database,
  subjects: readonly [string, string],
  windowMs: number,
  now: Date,
): Promise<z.output<typeof Counted>[]> {
  const at = now.toISOString();
  const openSince = new Date(now.getTime() - windowMs).toISOString();
  // Rows are taken in one order, so that two requests with the same subjects do not wait for each other.
  const [first, second] = subjects.toSorted();
  return selectRows(
    db,
    sql`
      with swept as (
        delete from sign_in_mails where subject in (
          select subject from sign_in_mails where window_started_at <= ${openSince} and subject not in (${first}, ${second})
          limit ${SWEPT} for update skip locked)
      )
      insert into sign_in_mails as m (subject, sent, window_started_at)
      values (${first}, 1, ${at}), (${second}, 1, ${at})
      on conflict (subject) do update set
        sent = case when m.window_started_at <= ${openSince} then 1 else m.sent + 1 end,
        window_started_at = case when m.window_started_at <= ${openSince} then excluded.window_started_at else m.window_started_at end
      returning subject, sent, (extract(epoch from window_started_at) * 1000)::float8 as opened_ms`,
    Counted,
  );
}
