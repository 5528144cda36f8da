import { utcDate } from "../../scoring/utc-calendar.ts";
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { l } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { TAKER_FEED_WATERMARK } from "../../db/coverage.ts";
import { reportSnapshots } from "../../db/schema.ts";
import { alias, columnNames, selectRows } from "../../db/sql.ts";
import { REPORT_KINDS, type ReportPeriod } from "../../domain/reports/report-periods.ts";

/** Maximum number of periods in one run. */
const PERIODS_AT_ONCE = 12;

export interface DueReports {
  readonly periods: readonly ReportPeriod[];
  /** Whether more periods have no report yet. */
  readonly hasMore: boolean;
}

const Row = z.object({
  kind: z.enum(REPORT_KINDS),
  period: z.string(),
  start_on: z.string(),
  end_on: z.string(),
  is_missing: z.boolean(),
});

/**
 * The periods whose report is not final, latest end first: those that contain today, closed ones in which
 * trades may still arrive, and those since the first covered day that have no report yet. Closed periods wait
 * until the trade feed has been read to its end once; before that their data is incomplete.
 */
export async function listDueReports(session: Session, now: Date): Promise<DueReports> {
  const due = await selectRows(session, selectDue(utcDate(now.getTime()), PERIODS_AT_ONCE + 1), Row);
  const taken = due.slice(0, PERIODS_AT_ONCE);
  return {
    periods: taken.map(({ kind, period, start_on, end_on }) => ({ kind, period, startOn: start_on, endOn: end_on })),
    // Only a run that adds a missing report makes progress.
    hasMore: due.length > taken.length && taken.some((row) => row.is_missing),
  };
}

const stored = alias(reportSnapshots, "stored");

const selectDue = (today: string, limit: number): SQL => sql`
  with days as (
    select d.first + n as day
    from (select (min(${l.tradedAt}) at time zone 'UTC')::date as first from ${l}) d,
      generate_series(0, ${today}::date - d.first) n
  ), periods as (
    select 'daily' as kind, to_char(day, 'YYYY-MM-DD') as period, day as start_on, day as end_on from days
    union
    select 'weekly', to_char(day, 'IYYY-IW'), date_trunc('week', day::timestamp)::date,
      date_trunc('week', day::timestamp)::date + 6 from days
    union
    select 'monthly', to_char(day, 'YYYY-MM'), date_trunc('month', day::timestamp)::date,
      (date_trunc('month', day::timestamp) + interval '1 month')::date - 1 from days
  )
  select kind, period, p.start_on::text, p.end_on::text, ${stored.status} is null as is_missing
  from periods p left join ${stored} using (${columnNames(stored.kind, stored.period)})
  where coalesce(${stored.status}, 'rolling') = 'rolling'
    and (p.end_on >= ${today}::date or ${TAKER_FEED_WATERMARK} is not null)
  order by p.end_on desc, p.start_on desc limit ${limit}`;
