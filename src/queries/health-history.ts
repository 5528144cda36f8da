import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { healthMinutes } from "../db/schema.ts";
import { columnName, columnNames, integer, run, selectRows, timestamp } from "../db/sql.ts";
import type { ServiceHealth } from "../domain/service-health.ts";

const RETAINED_DAYS = 90;

export interface MeasuredHealth extends ServiceHealth {
  readonly isCacheUp: boolean;
}

/**
 * Stores the health of the minute, and deletes minutes past their retention. A minute that is stored already is left
 * unchanged.
 *
 * @param health null in maintenance
 */
export async function storeHealthMinute(db: Database, health: MeasuredHealth | null, now: Date): Promise<void> {
  const { minute, status, isCacheUp, isWebhookCompatible, isSchemaCurrent, healthyJobs } = healthMinutes;
  await run(
    db,
    sql`with expired as (
       delete from ${healthMinutes} where ${minute} < ${timestamp(now)} - make_interval(days => ${RETAINED_DAYS})
     )
     insert into ${healthMinutes}
       (${columnNames(minute, status, isCacheUp, isWebhookCompatible, isSchemaCurrent, healthyJobs)})
     values (date_trunc('minute', ${timestamp(now)}), ${health?.status ?? "maintenance"},
       ${health?.isCacheUp ?? null}::boolean, ${health?.isWebhookCompatible ?? null}::boolean,
       ${health?.isSchemaCurrent ?? null}::boolean, ${health?.jobs.healthy ?? null}::smallint)
     on conflict (${columnName(minute)}) do nothing`,
  );
}

const Day = z.object({
  day: z.string(),
  ok: integer,
  degraded: integer,
  down: integer,
  maintenance: integer,
  unmeasured: integer,
});

/** Minutes of one day by status. */
export type HealthDay = z.output<typeof Day>;

/**
 * The days of the history, newest first. A day ends at the last whole minute before now and begins at the first stored
 * minute, so days before the history are left out.
 */
export const listHealthDays = (db: Database, days: number, now: Date): Promise<HealthDay[]> =>
  selectRows(
    db,
    sql`with minutes as (
       select each.minute, date_trunc('day', each.minute, 'UTC') as day
       from (select min(${healthMinutes.minute}) as minute from ${healthMinutes} having count(*) > 0) first
       cross join lateral generate_series(
         greatest(first.minute,
           date_trunc('day', ${timestamp(now)}, 'UTC') - make_interval(days => ${days - 1}::int)),
         date_trunc('minute', ${timestamp(now)}) - interval '1 minute', interval '1 minute') each(minute)
     )
     select to_char(day at time zone 'UTC', 'YYYY-MM-DD') as day,
       count(*) filter (where ${healthMinutes.status} = 'ok') as ok,
       count(*) filter (where ${healthMinutes.status} = 'degraded') as degraded,
       count(*) filter (where ${healthMinutes.status} = 'down') as down,
       count(*) filter (where ${healthMinutes.status} = 'maintenance') as maintenance,
       count(*) filter (where ${healthMinutes.status} is null) as unmeasured
     from minutes left join ${healthMinutes} using (minute)
     group by day order by day desc`,
    Day,
  );
