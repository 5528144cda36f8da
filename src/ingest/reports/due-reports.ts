import type { Session } from "../../db/client.ts";
import { REPORT_KINDS, type ReportPeriod } from "../../domain/report-periods.ts";
import { z } from "zod";

/** Periods looked at in one run. */
const PERIODS_AT_ONCE = 12;

export interface DueReports {
  readonly periods: readonly ReportPeriod[];
  /** Whether some are missing beyond these. */
  readonly more: boolean;
}

const Row = z.object({ kind: z.enum(REPORT_KINDS), period: z.string(), start_on: z.string(), end_on: z.string(), is_missing: z.boolean() });

/**
 * The periods whose report is not final, latest end first: those that contain today, closed ones in which trades may still arrive, and those
 * since the first covered day that have no report yet. Until the trade feed has been read once to its end, closed periods wait: they would be
 * known in part only, and not stay so.
 */
export async function listDueReports(session: Session, now: Date): Promise<DueReports> {
  const { rows } = await session.query(
    `with days as (
       select d.first + n as day
       from (select (min(traded_at) at time zone 'UTC')::date as first from large_trades) d,
         generate_series(0, $1::date - d.first) n
     ), periods as (
       select 'daily' as kind, to_char(day, 'YYYY-MM-DD') as period, day as start_on, day as end_on from days
       union
       select 'weekly', to_char(day, 'IYYY-IW'), date_trunc('week', day::timestamp)::date, date_trunc('week', day::timestamp)::date + 6 from days
       union
       select 'monthly', to_char(day, 'YYYY-MM'), date_trunc('month', day::timestamp)::date,
         (date_trunc('month', day::timestamp) + interval '1 month')::date - 1 from days
     )
     select kind, period, p.start_on::text, p.end_on::text, s.status is null as is_missing
     from periods p left join report_snapshots s using (kind, period)
     where coalesce(s.status, 'rolling') = 'rolling' and (p.end_on >= $1::date
       or exists (select from ingest_checkpoints where feed = 'trades:takers' and state ->> 'watermarkMs' is not null))
     order by p.end_on desc, p.start_on desc limit $2`,
    [now.toISOString().slice(0, 10), PERIODS_AT_ONCE + 1],
  );
  const due = z.array(Row).parse(rows);
  const taken = due.slice(0, PERIODS_AT_ONCE);
  return {
    periods: taken.map(({ kind, period, start_on, end_on }) => ({ kind, period, startOn: start_on, endOn: end_on })),
    // Only a run that filled something in comes closer to the end.
    more: due.length > taken.length && taken.some((row) => row.is_missing),
  };
}
