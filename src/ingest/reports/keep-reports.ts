import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../db/client.ts";
import { buildReport } from "./build-report.ts";
import { listDueReports } from "./due-reports.ts";

/**
 * Brings stored reports up to date, a transaction each: a kill between two leaves the rest for the next run.
 *
 * @returns whether periods wait that have no report yet
 */
export async function keepReports(pool: Pool, now: () => Date): Promise<boolean> {
  const { periods, more } = await inTransaction(pool, (session) => listDueReports(session, now()));
  for (const period of periods) await inTransaction(pool, (session) => buildReport(session, period, now()));
  return more;
}
