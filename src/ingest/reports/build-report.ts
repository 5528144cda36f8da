import { sql } from "drizzle-orm";
import type { Session } from "../../db/client.ts";
import { selectReport } from "../../db/report-content.ts";
import { reportSnapshots as stored } from "../../db/schema.ts";
import { columnName, columnNames, excluded, run, setEach, timestamp } from "../../db/sql.ts";
import { finalAfter, TOP_TRADES, type ReportPeriod } from "../../domain/reports/report-periods.ts";

const COLUMNS = columnNames(
  stored.kind,
  stored.period,
  stored.startOn,
  stored.endOn,
  stored.version,
  stored.status,
  stored.generatedAt,
  stored.sourceReadStartedAt,
  stored.basis,
  stored.report,
);

/**
 * Updates the stored report of a period in one statement. Equal content leaves the row unchanged; different
 * content is the next version. A report is final, and never written again, if it was read after the deadline
 * for late trades from a feed that was read to its end.
 *
 * @param now when reading starts
 */
export async function buildReport(session: Session, period: ReportPeriod, now: Date): Promise<void> {
  const { kind, startOn, endOn } = period;
  const readAt = timestamp(now);
  const [basis, status] = [columnName(stored.basis), columnName(stored.status)];
  await run(
    session,
    sql`with content as (${selectReport(period, TOP_TRADES[kind])})
    insert into ${stored} (${COLUMNS})
    select ${kind}, ${period.period}, ${startOn}::date, ${endOn}::date, 1,
      case when ${now >= finalAfter(period)} and report ->> 'read' = 'whole' then 'final' else 'rolling' end,
        ${readAt}, ${readAt},
      md5(report::text), report
    from content
    on conflict (${columnNames(stored.kind, stored.period)}) do update set
      ${columnName(stored.version)} = ${stored.version}
        + case when ${stored.basis} = excluded.${basis} then 0 else 1 end,
      ${setEach([stored.status, stored.generatedAt, stored.sourceReadStartedAt, stored.basis, stored.report], excluded)}
    where ${stored.status} = 'rolling'
      and (${stored.basis}, ${stored.status}) <> (excluded.${basis}, excluded.${status})`,
  );
}
