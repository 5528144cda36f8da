import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { FIRST_COVERED_DAY } from "../db/coverage.ts";
import { selectReport } from "../db/report-content.ts";
import type { DayRange, ReportPeriod } from "../domain/report-periods.ts";
import { StoredReport } from "../domain/stored-report.ts";
import { count, iso, selectRows } from "./rows.ts";

const firstDay = z.string().nullable();

const Snapshot = z.object({
  version: count,
  status: z.enum(["rolling", "final"]),
  generated_at: z.string(),
  source_read_started_at: z.string(),
  report: StoredReport,
});

export type ReportSnapshotRow = z.output<typeof Snapshot>;

export interface FoundReport {
  /** The UTC day detection began on; null before the first large trade. */
  readonly firstDay: string | null;
  /** Null while the period has no stored report. */
  readonly snapshot: ReportSnapshotRow | null;
}

/** The stored report of a day, an ISO week or a month. */
export async function findReport(db: Database, { kind, period }: ReportPeriod): Promise<FoundReport> {
  const [row] = await selectRows(
    db,
    sql`select ${FIRST_COVERED_DAY}::text as first_day, (
        select jsonb_build_object('version', version, 'status', status, 'generated_at', ${iso(sql`generated_at`)},
          'source_read_started_at', ${iso(sql`source_read_started_at`)}, 'report', report)
        from report_snapshots where kind = ${kind} and period = ${period}
      ) as snapshot`,
    z.object({ first_day: firstDay, snapshot: Snapshot.nullable() }),
  );
  return { firstDay: row?.first_day ?? null, snapshot: row?.snapshot ?? null };
}

export interface ComputedReport {
  readonly firstDay: string | null;
  readonly report: StoredReport;
}

/** What the large trades of a range come to now. Nothing is stored. */
export async function computeReport(db: Database, range: DayRange, topTrades: number): Promise<ComputedReport> {
  const [row] = await selectRows(
    db,
    sql`select ${FIRST_COVERED_DAY}::text as first_day, content.report from (${selectReport(range, topTrades)}) content`,
    z.object({ first_day: firstDay, report: StoredReport }),
  );
  if (row === undefined) throw new Error("an aggregate came without its row");
  return { firstDay: row.first_day, report: row.report };
}
