import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { count, iso, selectRows } from "./rows.ts";

const KeyUsage = z.object({
  key_id: count,
  /** Of this UTC month. */
  month_requests: count,
  /** When the last counted request was written down. */
  last_used_at: z.string(),
});

export type KeyUsage = z.output<typeof KeyUsage>;

/** What each key of an account has been used for; a key without a row was never used. */
export async function listKeyUsage(db: Database, accountId: number, now: Date): Promise<KeyUsage[]> {
  const monthStart = `${now.toISOString().slice(0, 7)}-01`;
  return selectRows(
    db,
    sql`
      select key_id, coalesce(sum(requests) filter (where day >= ${monthStart}), 0) as month_requests,
        ${iso(sql`max(updated_at)`)} as last_used_at
      from usage_days where account_id = ${accountId} group by key_id`,
    KeyUsage,
  );
}
