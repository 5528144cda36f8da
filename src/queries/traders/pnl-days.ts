import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { e, s, t, td, totals } from "../../db/aliases.ts";
import { isHistoryKnown, selectHistoryFacts } from "../../db/fragments/completeness.ts";
import { bookedProfit } from "../../db/fragments/profit.ts";
import { bigintText, integer, selectRows } from "../../db/sql.ts";
import { HISTORY_FACTS, type HistoryFacts } from "../../domain/traders/trader-completeness.ts";
import { dayNumber } from "../../scoring/metrics/series/day-number.ts";
import type { DailyPoint } from "../../scoring/metrics/series/daily-series.ts";
import { selectTrader } from "./select-trader.ts";
import type { TraderRef } from "./traders.ts";

/** A recorded day of a trader's P&L curve: the input of drawdowns, period statistics and totals. */
export interface PnlDay extends DailyPoint {
  /** Buys and sells. */
  readonly volumeMicro: bigint;
  /** Markets with a fill on the day; null when not requested. */
  readonly marketsTraded: number | null;
}

export interface TraderPnlCurve {
  readonly id: number;
  readonly address: string;
  /**
   * When its activity was last read to its end. Null unless its history in ordinary markets is known: the
   * curve is then meaningless.
   */
  readonly syncedAt: string | null;
  /** How far its history is known. */
  readonly history: HistoryFacts;
  /** Oldest first. `cumulativeMicro` starts at the trader's first day. Capital is not read (null). */
  readonly days: readonly PnlDay[];
  /** Markets with a fill in a month, by `YYYY-MM`; empty when not requested. */
  readonly marketsByMonth: ReadonlyMap<string, number>;
}

const Day = z.object({
  day: z.string(),
  pnl_micro: bigintText,
  cumulative_micro: bigintText,
  volume_micro: bigintText,
  markets: integer.nullable(),
});
const Row = z.object({
  id: integer,
  address: z.string(),
  ...HISTORY_FACTS,
  is_known: z.boolean().nullable(),
  days: z.array(Day),
  months: z.array(z.object({ month: z.string(), markets: integer })),
});

/**
 * All recorded days of a trader, or null when we have not seen it.
 *
 * @param withMarkets whether to count the markets traded, which reads all its fills: about 0.2 seconds for a
 *   hundred thousand
 */
export async function findTraderPnlCurve(
  db: Database,
  ref: TraderRef,
  withMarkets: boolean,
): Promise<TraderPnlCurve | null> {
  const [row] = await selectRows(
    db,
    sql`with w as materialized (
        select ${t.id}, ${t.address}, ${selectHistoryFacts(totals, s)}, ${isHistoryKnown(s)} as is_known
        from (${selectTrader(ref)}) t
        left join ${s} on ${s.traderId} = ${t.id}
        left join ${totals} on ${totals.traderId} = ${t.id}
      ), curve as (
        select ${td.day}, ${bookedProfit(td)} as pnl_micro, ${td.volumeMicro},
          sum(${bookedProfit(td)}) over (order by ${td.day}) as cumulative_micro
        from ${td} where ${td.traderId} = (select id from w where is_known)
      )${withMarkets ? TRADED_MARKETS_CTE : sql``}
      select w.*,
        coalesce((select jsonb_agg(jsonb_build_object('day', c.day::text, 'pnl_micro', c.pnl_micro::text,
          'cumulative_micro', c.cumulative_micro::text, 'volume_micro', c.volume_micro::text,
          'markets', ${withMarkets ? sql`coalesce(by_day.markets, 0)` : sql`null`}) order by c.day)
          from curve c ${withMarkets ? sql`left join by_day using (day)` : sql``}), '[]') as days,
        ${withMarkets ? MARKETS_BY_MONTH : sql`'[]'::jsonb`} as months
      from w`,
    Row,
  );
  if (row === undefined) return null;
  return {
    id: row.id,
    address: row.address,
    syncedAt: row.is_known === true ? row.synced_at : null,
    history: row,
    days: row.days.map((day) => ({
      day: day.day,
      dayNumber: dayNumber(day.day),
      pnlMicro: day.pnl_micro,
      cumulativeMicro: day.cumulative_micro,
      capitalMicro: null,
      volumeMicro: day.volume_micro,
      marketsTraded: day.markets,
    })),
    marketsByMonth: new Map(row.months.map(({ month, markets }) => [month, markets])),
  };
}

const TRADED_MARKETS_CTE: SQL = sql`, traded as materialized (
    select distinct (${e.tradedAt} at time zone 'UTC')::date as day, ${e.marketId}
    from ${e} where ${e.traderId} = (select id from w where is_known) and ${e.kind} in ('buy', 'sell')
  ), by_day as (
    select day, count(*) as markets from traded group by day
  )`;

// Without a time zone: a hundred thousand conversions would cost more than the read.
const MARKETS_BY_MONTH: SQL = sql`coalesce((select jsonb_agg(jsonb_build_object('month', to_char(month, 'YYYY-MM'),
  'markets', markets))
  from (
    select month, count(*) as markets
    from (select distinct date_trunc('month', day::timestamp) as month, market_id from traded) pairs group by month
  ) by_month), '[]')`;
