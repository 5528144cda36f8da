import { and, eq, gte, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { usageDays } from "../../db/schema.ts";
import { columnName, columnNames } from "../../db/sql.ts";

/** Total number of requests of one UTC day by one key and operation. */
export interface UsageTotal {
  /** `2026-11-21`. */
  readonly day: string;
  readonly key_id: number;
  readonly operation: string;
  readonly requests: number;
}

/**
 * Writes totals of an account. Totals only grow and the greater value wins, so a repeated or late statement
 * changes nothing.
 */
export async function flushUsage(db: Database, accountId: number, totals: readonly UsageTotal[]): Promise<void> {
  const { requests, updatedAt } = usageDays;
  await db.execute(sql`
    insert into ${usageDays}
      (${columnNames(usageDays.accountId, usageDays.keyId, usageDays.day, usageDays.operation, requests)})
    select ${accountId}::bigint, key_id, day, operation, requests
    from jsonb_to_recordset(${JSON.stringify(totals)}::jsonb)
      as t(key_id bigint, day date, operation text, requests bigint)
    on conflict (${columnNames(usageDays.accountId, usageDays.day, usageDays.keyId, usageDays.operation)})
    do update set ${columnName(requests)} = greatest(${requests}, excluded.${columnName(requests)}),
      ${columnName(updatedAt)} = now()`);
}

/** The totals from which the meter of an account starts: those of `firstDay` and later. */
export async function seedUsage(db: Database, accountId: number, firstDay: string): Promise<UsageTotal[]> {
  const { keyId, day, operation, requests } = usageDays;
  return db
    .select({ day, key_id: keyId, operation, requests })
    .from(usageDays)
    .where(and(eq(usageDays.accountId, accountId), gte(day, firstDay)));
}
