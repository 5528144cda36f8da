import { sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { Session } from "../../db/client.ts";
import { selectReport } from "../../db/report-content.ts";
import { finalAfter, TOP_TRADES, type ReportPeriod } from "../../domain/report-periods.ts";

const dialect = new PgDialect();

/**
 * Brings the stored report of a period up to date, in one statement. What it comes to decides: the same content leaves the row as it is,
 * other content is the next version. Read after its time for late trades, and from a feed that was read to its end, it is final and never
 * written again.
 *
 * @param now when reading starts
 */
export async function buildReport(session: Session, period: ReportPeriod, now: Date): Promise<void> {
  const { kind, startOn, endOn } = period;
  const readAt = sql`${now.toISOString()}::timestamptz`;
  const { sql: statement, params } = dialect.sqlToQuery(sql`
    with content as (${selectReport(period, TOP_TRADES[kind])})
    insert into report_snapshots (kind, period, start_on, end_on, version, status, generated_at, source_read_started_at, basis, report)
    select ${kind}, ${period.period}, ${startOn}::date, ${endOn}::date, 1,
      case when ${now >= finalAfter(period)} and report ->> 'read' = 'whole' then 'final' else 'rolling' end, ${readAt}, ${readAt},
      md5(report::text), report
    from content
    on conflict (kind, period) do update set
      version = report_snapshots.version + case when report_snapshots.basis = excluded.basis then 0 else 1 end,
      status = excluded.status, generated_at = excluded.generated_at, source_read_started_at = excluded.source_read_started_at,
      basis = excluded.basis, report = excluded.report
    where report_snapshots.status = 'rolling' and (report_snapshots.basis, report_snapshots.status) <> (excluded.basis, excluded.status)`);
  await session.query(statement, params);
}
