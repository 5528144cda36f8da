import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../db/client.ts";
import { buildReport } from "./build-report.ts";
import { listDueReports } from "./due-reports.ts";

/**
 * Updates the stored reports, one transaction each. A crash between two leaves the rest for the next run.
 *
 * @returns whether periods without a report are left
 */
export async function rebuildReports(pool: Pool, now: () => Date): Promise<boolean> {
  const { periods, hasMore } = await inTransaction(pool, (session) => listDueReports(session, now()));
  for (const period of periods) await inTransaction(pool, (session) => buildReport(session, period, now()));
  return hasMore;
}
