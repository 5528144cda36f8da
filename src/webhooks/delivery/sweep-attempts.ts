import { lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { webhookVerificationAttempts as attempts } from "../../db/schema.ts";
import { selectRows, timestamp } from "../../db/sql.ts";
import { RETENTION_MS } from "../../domain/retention.ts";

/**
 * A due challenge is normally posted at once. If its message was lost, it is enqueued again after this time.
 */
const OVERDUE_MS = 5_000;
const MAX_ROWS = 100;

/** Ids of verification attempts whose challenge is overdue or whose worker counts as dead. */
export async function listOverdueAttempts(db: Database, now: Date): Promise<string[]> {
  const rows = await selectRows(
    db,
    sql`
      (select ${attempts.id} from ${attempts}
        where ${attempts.state} = 'queued'
          and ${attempts.nextAttemptAt} < ${timestamp(new Date(now.getTime() - OVERDUE_MS))}
        order by ${attempts.nextAttemptAt} limit ${MAX_ROWS})
      union all
      (select ${attempts.id} from ${attempts}
        where ${attempts.state} = 'running' and ${attempts.leaseUntil} < ${timestamp(now)}
        limit ${MAX_ROWS})`,
    z.object({ id: z.string() }),
  );
  return rows.map(({ id }) => id);
}

/** Deletes verification attempts older than seven days; by then each has ended. */
export async function pruneAttempts(db: Database, now: Date): Promise<void> {
  await db.delete(attempts).where(lt(attempts.createdAt, new Date(now.getTime() - RETENTION_MS)));
}
