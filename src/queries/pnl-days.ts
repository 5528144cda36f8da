import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { dayNumber } from "../scoring/metrics/day-number.ts";
import type { DailyPoint } from "../scoring/metrics/daily-series.ts";
import { big, selectRows } from "./rows.ts";

/** A recorded day of a wallet on its P&L curve: what drawdowns, period statistics and totals are made of. */
export interface PnlDay extends DailyPoint {
  /** Buys and sells. */
  readonly volumeMicro: bigint;
  /** Row ids of the markets with a fill on the day. */
  readonly markets: readonly string[];
}

const Row = z.object({ day: z.string(), pnl_micro: big, cumulative_micro: big, volume_micro: big, markets: z.array(z.string()) });

/** UTC days YYYY-MM-DD, both included; null is no bound. */
export interface DayRange {
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * The recorded days of a wallet in a range, oldest first. `cumulativeMicro` counts from its first day whatever the range: a window is never
 * rebased. Capital is not read (null). Only a wallet whose whole history is known has a curve that means anything: the caller has made sure.
 */
export async function listPnlDays(db: Database, traderId: number, { from, to }: DayRange): Promise<PnlDay[]> {
  const rows = await selectRows(
    db,
    sql`with curve as (
        select day, realized_micro + settled_micro - fees_micro + rebates_micro as pnl_micro, volume_micro,
          sum(realized_micro + settled_micro - fees_micro + rebates_micro) over (order by day) as cumulative_micro
        from trader_days where trader_id = ${traderId}
      ), traded as (
        select (traded_at at time zone 'UTC')::date as day, jsonb_agg(distinct market_id::text) as markets
        from ledger_entries where trader_id = ${traderId} and kind in ('buy', 'sell')
        group by 1
      )
      select day::text as day, pnl_micro::text as pnl_micro, cumulative_micro::text as cumulative_micro, volume_micro::text as volume_micro,
        coalesce(markets, '[]') as markets
      from curve left join traded using (day)
      where (${from}::date is null or day >= ${from}::date) and (${to}::date is null or day <= ${to}::date)
      order by curve.day`,
    Row,
  );
  return rows.map((row) => ({
    day: row.day,
    dayNumber: dayNumber(row.day),
    pnlMicro: row.pnl_micro,
    cumulativeMicro: row.cumulative_micro,
    capitalMicro: null,
    volumeMicro: row.volume_micro,
    markets: row.markets,
  }));
}
