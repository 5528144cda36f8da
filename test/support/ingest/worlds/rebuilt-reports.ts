import type { Pool } from "@neondatabase/serverless";
import { eq } from "drizzle-orm";
import type { Database } from "../../../../src/db/client.ts";
import { ingestCheckpoints, reportSnapshots } from "../../../../src/db/schema.ts";
import { StoredReport } from "../../../../src/domain/reports/stored-report.ts";
import { rebuildReports } from "../../../../src/ingest/reports/rebuild-reports.ts";

/**
 * Sets the time up to which the takers' feed has been read without a gap; null while its first walk is in
 * progress.
 */
export async function setFeedWatermark(db: Database, at: string | null): Promise<void> {
  const state = { watermarkMs: at === null ? null : Date.parse(at), deepAtMs: null, walk: null, stored: 0 };
  await db
    .insert(ingestCheckpoints)
    .values({ feed: "trades:takers", state })
    .onConflictDoUpdate({ target: ingestCheckpoints.feed, set: { state } });
}

/** Runs the job at a time until no work is left. @returns how often it ran */
export async function rebuildReportsAt(pool: Pool, at: string): Promise<number> {
  for (let runs = 1; ; runs++) if (!(await rebuildReports(pool, () => new Date(at)))) return runs;
}

/** The stored reports by period, their content parsed. */
export async function storedReports(db: Database) {
  const rows = await db.select().from(reportSnapshots);
  return new Map(rows.map((row) => [row.period, { ...row, report: StoredReport.parse(row.report) }]));
}

export async function storedReport(db: Database, period: string) {
  const [row] = await db.select().from(reportSnapshots).where(eq(reportSnapshots.period, period));
  if (row === undefined) throw new Error(`there is no report of ${period}`);
  return { ...row, report: StoredReport.parse(row.report) };
}
