import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { isHistoryKnown, leftOut } from "../db/completeness.ts";
import { LeftOut, type HistoryFacts } from "../domain/wallet-completeness.ts";
import { dayNumber } from "../scoring/metrics/day-number.ts";
import type { DailyPoint } from "../scoring/metrics/daily-series.ts";
import { big, count, iso, selectRows } from "./rows.ts";
import { selectTrader } from "./trader-ref.ts";
import type { TraderRef } from "./traders.ts";

/** A recorded day of a wallet on its P&L curve: what drawdowns, period statistics and totals are made of. */
export interface PnlDay extends DailyPoint {
  /** Buys and sells. */
  readonly volumeMicro: bigint;
  /** Markets with a fill on the day; null when they were not asked for. */
  readonly marketsTraded: number | null;
}

export interface WalletPnl {
  readonly id: number;
  readonly address: string;
  /** When its activity was last read to its end; null unless its history in ordinary markets is known, and then it has no curve that means anything. */
  readonly syncedAt: string | null;
  /** How far its history is known. */
  readonly history: HistoryFacts;
  /** Oldest first. `cumulativeMicro` counts from its first day. Capital is not read (null). */
  readonly days: readonly PnlDay[];
  /** Markets with a fill in a month, by `YYYY-MM`; empty when they were not asked for. */
  readonly marketsByMonth: ReadonlyMap<string, number>;
}

const Day = z.object({ day: z.string(), pnl_micro: big, cumulative_micro: big, volume_micro: big, markets: count.nullable() });
const Row = z.object({
  id: count,
  address: z.string(),
  synced_at: z.string().nullable(),
  followed: z.boolean(),
  gaps: z.array(z.string()).nullable(),
  is_known: z.boolean().nullable(),
  left_out: LeftOut,
  days: z.array(Day),
  months: z.array(z.object({ month: z.string(), markets: count })),
});

/**
 * All recorded days of a wallet, or null when we have not seen it.
 *
 * @param withMarkets whether to count the markets traded, which reads all its fills: about a fifth of a second for a hundred thousand
 */
export async function findWalletPnl(db: Database, ref: TraderRef, withMarkets: boolean): Promise<WalletPnl | null> {
  const [row] = await selectRows(
    db,
    sql`with w as materialized (
        select t.id, t.address, ${iso(sql`s.complete_at`)} as synced_at, s.trader_id is not null as followed, s.gaps,
          ${sql.raw(isHistoryKnown("s"))} as is_known, ${sql.raw(leftOut("tt"))} as left_out
        from (${selectTrader(ref)}) t
        left join wallet_syncs s on s.trader_id = t.id
        left join trader_totals tt on tt.trader_id = t.id
      ), curve as (
        select d.day, realized_micro + settled_micro - fees_micro + rebates_micro as pnl_micro, volume_micro,
          sum(realized_micro + settled_micro - fees_micro + rebates_micro) over (order by d.day) as cumulative_micro
        from trader_days d where d.trader_id = (select id from w where is_known)
      )${withMarkets ? TRADED : sql``}
      select w.*,
        coalesce((select jsonb_agg(jsonb_build_object('day', c.day::text, 'pnl_micro', c.pnl_micro::text,
          'cumulative_micro', c.cumulative_micro::text, 'volume_micro', c.volume_micro::text,
          'markets', ${withMarkets ? sql`coalesce(m.markets, 0)` : sql`null`}) order by c.day)
          from curve c ${withMarkets ? sql`left join by_day m using (day)` : sql``}), '[]') as days,
        ${withMarkets ? MONTHS : sql`'[]'::jsonb`} as months
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

const TRADED: SQL = sql`, traded as materialized (
    select distinct (traded_at at time zone 'UTC')::date as day, market_id
    from ledger_entries where trader_id = (select id from w where is_known) and kind in ('buy', 'sell')
  ), by_day as (
    select day, count(*) as markets from traded group by day
  )`;

// Without a time zone: with one, a hundred thousand conversions cost more than the reading.
const MONTHS: SQL = sql`coalesce((select jsonb_agg(jsonb_build_object('month', to_char(month, 'YYYY-MM'), 'markets', markets))
  from (
    select month, count(*) as markets
    from (select distinct date_trunc('month', day::timestamp) as month, market_id from traded) pairs group by month
  ) by_month), '[]')`;
