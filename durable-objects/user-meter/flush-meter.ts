import type { Database } from "../../src/db/client.ts";
import { flushUsage } from "../../src/queries/accounts/usage-counts.ts";
import type { MeterStorage } from "./meter-storage.ts";
import { firstDayOfLastMonth } from "./month.ts";

/** Maximum number of rows per statement. */
const PAGE_ROWS = 500;

/**
 * Writes unflushed totals to Postgres, and drops flushed totals of days before last month. Totals of a failed
 * statement stay unflushed.
 *
 * @throws errors of the database or its connection
 */
export async function flushMeter(storage: MeterStorage, db: Database, accountId: number, nowMs: number): Promise<void> {
  let totals = storage.listUnflushed(PAGE_ROWS);
  while (totals.length > 0) {
    await flushUsage(db, accountId, totals);
    storage.markFlushed(totals);
    // A page that is not full is the last one. Requests counted in the meantime wait for the next flush.
    totals = totals.length < PAGE_ROWS ? [] : storage.listUnflushed(PAGE_ROWS);
  }
  storage.dropFlushedBefore(firstDayOfLastMonth(nowMs));
}
