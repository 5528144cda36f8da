import { sql } from "drizzle-orm";
import type { Database } from "../../src/db/client.ts";
import type { MeterStorage } from "./meter-storage.ts";
import { firstDayOfLastMonth } from "./month.ts";

/** Rows of one statement. */
const PAGE_ROWS = 500;

/**
 * Writes the totals that Postgres does not have yet, and drops those of before last month that it has.
 *
 * Totals only grow, and the greater one stays: a statement that is sent again, or arrives late, changes nothing. What fails stays to be
 * flushed.
 *
 * @throws what Postgres or the way there failed with
 */
export async function flushUsage(storage: MeterStorage, db: Database, accountId: number, nowMs: number): Promise<void> {
  let totals = storage.listUnflushed(PAGE_ROWS);
  while (totals.length > 0) {
    await db.execute(sql`
      insert into usage_days (account_id, key_id, day, operation, requests)
      select ${accountId}::bigint, key_id, day, operation, requests
      from jsonb_to_recordset(${JSON.stringify(totals)}::jsonb) as t(key_id bigint, day date, operation text, requests bigint)
      on conflict (account_id, day, key_id, operation)
      do update set requests = greatest(usage_days.requests, excluded.requests), updated_at = now()`);
    storage.markFlushed(totals);
    // A page that was not full was the last; what has been counted meanwhile waits for the next flush.
    totals = totals.length < PAGE_ROWS ? [] : storage.listUnflushed(PAGE_ROWS);
  }
  storage.dropFlushedBefore(firstDayOfLastMonth(nowMs));
}
