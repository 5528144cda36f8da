import { sql } from "drizzle-orm";
import { z } from "zod";
import { e, l } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { array, epochMs, integer, selectRows } from "../../db/sql.ts";
import type { DueTrade } from "./due-trades.ts";
import { groupByEntries } from "./group-by-entries.ts";

const TraderHistoryRow = z.object({
  id: z.string(),
  /** Null for a trader without earlier trades. */
  first_ms: z.number().nullable(),
  other_markets: integer,
  usd_micro: z.string(),
});

/** A trader's trades before the second of a large trade. */
export type TraderHistory = z.output<typeof TraderHistoryRow>;

/**
 * Reads the history of the trader before each trade. A trader's ledger is read once for all its trades.
 *
 * @param maxEntries of the trader at any time. The entries of a trader with more are not read
 * @returns by id of the trade; no value where the trader's record is incomplete or beyond the bound
 */
export async function readTraderHistories(
  session: Session,
  trades: readonly DueTrade[],
  maxEntries: number,
): Promise<Map<string, TraderHistory>> {
  const traders = Map.groupBy(
    trades.filter((trade) => trade.has_history && trade.entry_count <= maxEntries),
    (trade) => trade.trader_id,
  );
  const histories = new Map<string, TraderHistory>();
  for (const group of groupByEntries([...traders.values()], ([trade]) => trade?.entry_count ?? 0)) {
    const ids = group.flat().map((trade) => trade.id);
    for (const row of await readHistories(session, ids, maxEntries)) histories.set(row.id, row);
  }
  return histories;
}

/**
 * A frame ends before the trade's second, because events within a second have no order. Each trade is in a
 * second, also where the trader has no entry that counts.
 */
const readHistories = (session: Session, ids: readonly string[], maxEntries: number): Promise<TraderHistory[]> =>
  selectRows(
    session,
    sql`with due as materialized (
       select ${l.id}, ${l.traderId}, ${l.marketId}, ${l.tradedAt} from ${l} where ${l.id} = any(${array(ids, "bigint")})
     ), entries as materialized (
       select entry.* from (select distinct trader_id from due) trader cross join lateral (
         select ${e.traderId}, ${e.marketId}, ${e.tradedAt}, ${e.usdMicro}, ${e.kind} from ${e}
         where ${e.traderId} = trader.trader_id limit ${maxEntries}::int + 1
       ) entry
     ), whole as (
       select trader_id from entries group by trader_id having count(*) <= ${maxEntries}::int
     ), own as materialized (
       select entries.* from entries join whole using (trader_id) where kind in ('buy', 'sell')
     ), own_markets as materialized (
       select trader_id, market_id, min(traded_at) as first_at from own group by trader_id, market_id
     ), seconds as (
       select trader_id, traded_at, sum(usd_micro) as usd_micro, count(first_at) as new_markets, min(first_at) as first_at
       from (
         select trader_id, traded_at, usd_micro, null::timestamptz as first_at from own
         union all
         select trader_id, first_at, 0, first_at from own_markets
         union all
         select trader_id, traded_at, 0, null from due join whole using (trader_id)
       ) traded
       group by trader_id, traded_at
     ), before as (
       select trader_id, traded_at, min(first_at) over earlier as first_at, sum(new_markets) over earlier as markets,
         sum(usd_micro) over earlier as usd_micro
       from seconds
       window earlier as (
         partition by trader_id order by traded_at rows between unbounded preceding and 1 preceding
       )
     )
     select due.id, ${epochMs(sql`before.first_at`)} as first_ms, coalesce(before.usd_micro, 0)::text as usd_micro,
       coalesce(before.markets, 0) - (own_markets.first_at is not null)::int as other_markets
     from due
     join before using (trader_id, traded_at)
     left join own_markets on own_markets.trader_id = due.trader_id and own_markets.market_id = due.market_id
       and own_markets.first_at < due.traded_at`,
    TraderHistoryRow,
  );
