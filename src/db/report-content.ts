import { sql, type SQL } from "drizzle-orm";
import type { DayRange } from "../domain/reports/report-periods.ts";
import { GRADES } from "../domain/traders/grades.ts";
import { l, m, o, t } from "./aliases.ts";
import { FIRST_COVERED_DAY, TAKER_FEED_WATERMARK } from "./coverage.ts";
import { traders } from "./schema.ts";
import { isoText } from "./sql.ts";

const GRADE_LITERALS: SQL = sql.raw(GRADES.map((grade) => `'${grade}'`).join(", "));

/**
 * Aggregates the large trades of a range: one row with `report` in the form of `StoredReport`
 * (src/domain/reports/stored-report.ts). Reads only the index `large_trades_recent`, except for the names of
 * the largest trades.
 *
 * @param topTrades how many of the largest trades are listed
 */
export function selectReport({ startOn, endOn }: DayRange, topTrades: number): SQL {
  const start = sql`(${startOn}::date::timestamp at time zone 'UTC')`;
  const close = sql`((${endOn}::date + 1)::timestamp at time zone 'UTC')`;
  const inRange = sql`${l.tradedAt} >= ${start} and ${l.tradedAt} < ${close}`;
  return sql`
    with active_traders as (
      select ${l.traderId}, count(*) as trades, sum(${l.sizeUsdMicro}) as volume, max(${l.sizeUsdMicro}) as biggest
      from ${l} where ${inRange} group by ${l.traderId}
    ), sums as (
      select coalesce(sum(trades), 0) as trades, coalesce(sum(volume), 0) as volume, max(biggest) as biggest,
        count(*) as traders from active_traders
    ), days as (
      select count(*) as active from (
        select distinct (${l.tradedAt} at time zone 'UTC')::date from ${l} where ${inRange}
      ) d
    ), largest as (
      select l.* from ${l} where ${inRange} order by ${l.sizeUsdMicro} desc, ${l.tradedAt}, ${l.id}
        limit ${topTrades}
    ), top as (
      select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'outcome', ${o.label}, 'side', l.side,
          'title', ${m.title}, 'size_micro', l.size_usd_micro::text, 'price', l.price::text, 'token_id', ${o.tokenId},
          'traded_at', ${isoText(sql`l.traded_at`)}, 'category', l.category, 'name', ${t.username},
          'grade', ${t.grade}) order by l.size_usd_micro desc, l.traded_at, l.id), '[]') as trades
      from largest l join ${t} on ${t.id} = l.trader_id join ${m} on ${m.id} = l.market_id
        join ${o} on ${o.id} = l.outcome_id
    ), categories as (
      select coalesce(jsonb_agg(jsonb_build_object('category', category, 'trades', trades, 'volume_micro', volume::text)
          order by volume desc, category), '[]') as list
      from (
        select ${l.category}, count(*) as trades, sum(${l.sizeUsdMicro}) as volume
        from ${l} where ${inRange} and ${l.category} is not null group by ${l.category}
      ) c
    ), grades as (
      select coalesce(jsonb_agg(jsonb_build_object('grade', grade, 'traders', traders)
          order by array_position(array[${GRADE_LITERALS}], grade)), '[]') as list
      -- The fence ("offset 0") makes this one lookup per trader. As a plain join, Postgres would read all
      -- traders.
      from (
        select t.grade, count(*) as traders from active_traders a cross join lateral (select ${traders.grade} from ${traders}
          where ${traders.id} = a.trader_id offset 0) t
        group by t.grade
      ) g
    )
    select jsonb_build_object('trades', sums.trades, 'volume_micro', sums.volume::text,
      'biggest_micro', sums.biggest::text,
      'traders', sums.traders, 'active_days', days.active, 'top', top.trades, 'categories', categories.list,
        'grades', grades.list,
      'read', case when ${TAKER_FEED_WATERMARK} >= ${close} then 'whole'
        when ${TAKER_FEED_WATERMARK} > ${start} then 'part' else 'none' end,
      'covered_from', case when ${FIRST_COVERED_DAY} between ${startOn}::date and ${endOn}::date
        then ${FIRST_COVERED_DAY}::text end) as report
    from sums, days, top, categories, grades`;
}
