import { sql, type SQL } from "drizzle-orm";
import type { DayRange } from "../domain/report-periods.ts";
import { FIRST_COVERED_DAY, READ_TO } from "./coverage.ts";

/**
 * What the large trades of a range come to: one row with `report` as `StoredReport` of src/domain/stored-report.ts describes it. Read from
 * `large_trades_recent` alone, the names beside the largest excepted.
 *
 * @param topTrades how many of the largest are named
 */
export function selectReport({ startOn, endOn }: DayRange, topTrades: number): SQL {
  const start = sql`(${startOn}::date::timestamp at time zone 'UTC')`;
  const close = sql`((${endOn}::date + 1)::timestamp at time zone 'UTC')`;
  const inRange = sql`l.traded_at >= ${start} and l.traded_at < ${close}`;
  return sql`
    with wallets as (
      select l.trader_id, count(*) as trades, sum(l.size_usd_micro) as volume, max(l.size_usd_micro) as biggest
      from large_trades l where ${inRange} group by l.trader_id
    ), sums as (
      select coalesce(sum(trades), 0) as trades, coalesce(sum(volume), 0) as volume, max(biggest) as biggest, count(*) as traders from wallets
    ), days as (
      select count(*) as active from (
        select distinct (l.traded_at at time zone 'UTC')::date from large_trades l where ${inRange}
      ) d
    ), largest as (
      select l.* from large_trades l where ${inRange} order by l.size_usd_micro desc, l.traded_at, l.id limit ${topTrades}
    ), top as (
      select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'outcome', o.label, 'side', l.side, 'title', m.title,
          'size_micro', l.size_usd_micro::text, 'price', l.price::text, 'token_id', o.token_id,
          'traded_at', to_char(l.traded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'category', l.category,
          'name', t.username, 'grade', t.grade) order by l.size_usd_micro desc, l.traded_at, l.id), '[]') as trades
      from largest l join traders t on t.id = l.trader_id join markets m on m.id = l.market_id join outcomes o on o.id = l.outcome_id
    ), categories as (
      select coalesce(jsonb_agg(jsonb_build_object('category', category, 'trades', trades, 'volume_micro', volume::text)
          order by volume desc, category), '[]') as list
      from (
        select l.category, count(*) as trades, sum(l.size_usd_micro) as volume
        from large_trades l where ${inRange} and l.category is not null group by l.category
      ) c
    ), grades as (
      select coalesce(jsonb_agg(jsonb_build_object('grade', grade, 'wallets', wallets)
          order by array_position(array['S', 'A', 'B', 'C', 'D', 'F'], grade)), '[]') as list
      -- The fence makes it a look-up of each wallet: joined, all wallets there are would be read.
      from (
        select t.grade, count(*) as wallets from wallets w cross join lateral (select grade from traders where id = w.trader_id offset 0) t
        group by t.grade
      ) g
    )
    select jsonb_build_object('trades', sums.trades, 'volume_micro', sums.volume::text, 'biggest_micro', sums.biggest::text,
      'traders', sums.traders, 'active_days', days.active, 'top', top.trades, 'categories', categories.list, 'grades', grades.list,
      'read', case when ${READ_TO} >= ${close} then 'whole' when ${READ_TO} > ${start} then 'part' else 'none' end,
      'covered_from', case when ${FIRST_COVERED_DAY} between ${startOn}::date and ${endOn}::date then ${FIRST_COVERED_DAY}::text end) as report
    from sums, days, top, categories, grades`;
}
