import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { FIRST_COVERED_DAY } from "../db/coverage.ts";
import { selectReport } from "../db/report-content.ts";
import { reportSnapshots as stored } from "../db/schema.ts";
import { integer, isoText, selectRow } from "../db/sql.ts";
import type { DayRange, ReportPeriod } from "../domain/reports/report-periods.ts";
import { StoredReport } from "../domain/reports/stored-report.ts";

const firstDay = z.string().nullable();

const Snapshot = z.object({
  version: integer,
  status: z.enum(["rolling", "final"]),
  generated_at: z.string(),
  source_read_started_at: z.string(),
  report: StoredReport,
});

export type ReportSnapshotRow = z.output<typeof Snapshot>;

export interface ReportLookup {
  /** The UTC day on which detection began; null before the first large trade. */
  readonly firstDay: string | null;
  /** Null while the period has no stored report. */
  readonly snapshot: ReportSnapshotRow | null;
}

/** The stored report of a day, an ISO week or a month. */
export async function findReport(db: Database, { kind, period }: ReportPeriod): Promise<ReportLookup> {
  const row = await selectRow(
    db,
    sql`select ${FIRST_COVERED_DAY}::text as first_day, (
        select jsonb_build_object('version', ${stored.version}, 'status', ${stored.status},
          'generated_at', ${isoText(stored.generatedAt)},
          'source_read_started_at', ${isoText(stored.sourceReadStartedAt)}, 'report', ${stored.report})
        from ${stored} where ${stored.kind} = ${kind} and ${stored.period} = ${period}
      ) as snapshot`,
    z.object({ first_day: firstDay, snapshot: Snapshot.nullable() }),
  );
  return { firstDay: row?.first_day ?? null, snapshot: row?.snapshot ?? null };
}

export interface ComputedReport {
  readonly firstDay: string | null;
  readonly report: StoredReport;
}

/** Aggregates the large trades of a range now, without storing the result. */
export async function computeReport(db: Database, range: DayRange, topTrades: number): Promise<ComputedReport> {
  const row = await selectRow(
    db,
    sql`select ${FIRST_COVERED_DAY}::text as first_day, content.report
      from (${selectReport(range, topTrades)}) content`,
    z.object({ first_day: firstDay, report: StoredReport }),
  );
  if (row === null) throw new Error("the aggregate returned no row");
  return { firstDay: row.first_day, report: row.report };
}
