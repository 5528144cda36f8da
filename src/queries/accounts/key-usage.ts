import { utcMonth } from "../../scoring/utc-calendar.ts";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { usageDays } from "../../db/schema.ts";
import { integer, isoText, selectRows } from "../../db/sql.ts";

const KeyUsage = z.object({
  key_id: integer,
  /** Requests in this UTC month. */
  month_requests: integer,
  /** When the last counted request was stored. */
  last_used_at: z.string(),
});

export type KeyUsage = z.output<typeof KeyUsage>;

/** The usage of each key of an account; a key without a row was never used. */
export async function listKeyUsage(db: Database, accountId: number, now: Date): Promise<KeyUsage[]> {
  const monthStart = `${utcMonth(now.getTime())}-01`;
  return selectRows(
    db,
    sql`
      select ${usageDays.keyId},
        coalesce(sum(${usageDays.requests}) filter (where ${usageDays.day} >= ${monthStart}), 0) as month_requests,
        ${isoText(sql`max(${usageDays.updatedAt})`)} as last_used_at
      from ${usageDays} where ${usageDays.accountId} = ${accountId} group by ${usageDays.keyId}`,
    KeyUsage,
  );
}
