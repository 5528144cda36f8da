import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";

/** A challenge that is due is posted at once, unless nobody was told; after this long it is told again. */
const OVERDUE_MS = 5_000;
const KEPT_MS = 7 * 86_400_000;
const MOST = 100;

/** Attempts to verify endpoints with a challenge that is overdue, or whose worker is dead. */
export async function listOverdueAttempts(db: Database, now: Date): Promise<string[]> {
  const { rows } = await db.execute(sql`
    (select id from webhook_verification_attempts
      where state = 'queued' and next_attempt_at < ${new Date(now.getTime() - OVERDUE_MS).toISOString()}::timestamptz
      order by next_attempt_at limit ${MOST})
    union all
    (select id from webhook_verification_attempts where state = 'running' and lease_until < ${now.toISOString()}::timestamptz limit ${MOST})`);
  return z
    .array(z.object({ id: z.string() }))
    .parse(rows)
    .map(({ id }) => id);
}

/** Takes away attempts older than seven days; by then each has ended. */
export async function pruneAttempts(db: Database, now: Date): Promise<void> {
  await db.execute(sql`
    delete from webhook_verification_attempts where created_at < ${new Date(now.getTime() - KEPT_MS).toISOString()}::timestamptz`);
}
