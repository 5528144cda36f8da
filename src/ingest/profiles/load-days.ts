import type { Session } from "../../db/client.ts";
import { combinationsOf } from "../../db/completeness.ts";
import type { WalletDay } from "../../scoring/metrics/daily-series.ts";

/** The order in which a position is folded, see `compareMovements`. */
const FOLD_ORDER = `e.traded_at, array_position(array['split', 'buy', 'convert_in', 'merge', 'convert_out', 'sell'], e.kind), e.tx_hash,
  e.shares_micro, e.ordinal`;

/**
 * Recorded days of wallets with their capital at work in ordinary markets: what was held when the day began, at cost, and all that was paid in on it.
 *
 * The cost that a sale, merge or conversion takes out is its proceeds less what it realized. Of a sale of more than was held only a part realizes, as in
 * `applyMovement`; that part is found by keeping a running balance that never falls below zero. Held cost leaves on the day its market
 * settled, or with the position's last entry where that is later. Shares of unknown basis have no cost and, as in the P&L, no result. A day on which nothing was at
 * work has no capital (null).
 *
 * @returns oldest first, by trader id
 */
export async function loadDays(session: Session, traderIds: readonly number[]): Promise<Map<number, WalletDay[]>> {
  const { rows } = await session.query<{ trader_id: string; day: string; pnl_micro: string; capital_micro: string | null }>(
    `with entries as (
       select e.*, (e.traded_at at time zone 'UTC')::date as day, e.kind in ('buy', 'split', 'convert_in') as adds
       from ledger_entries e where e.trader_id = any($1::bigint[]) and e.market_id not in (${combinationsOf("$1")})
     ), moves as (
       select e.trader_id, e.day, case when e.adds then e.usd_micro else 0 end as paid_micro,
         case when e.adds then 0 else coalesce(e.usd_micro - e.realized_micro, 0) end as left_micro
       from entries e join positions p using (trader_id, outcome_id)
       where p.unmatched_shares_micro = 0
       union all
       select trader_id, day, case when adds then usd_micro else 0 end,
         case when not adds and matched > 0
           then div(2 * usd_micro * matched + shares_micro, 2 * shares_micro) - realized_micro else 0 end
       from (
         select f.*, shares_micro + deficit - lag(deficit, 1, 0::numeric) over (partition by trader_id, outcome_id order by place) as matched
         from (
           select b.*, least(0, min(balance) over (partition by trader_id, outcome_id order by place)) as deficit
           from (
             select e.*, row_number() over fold as place,
               sum(case when e.adds then e.shares_micro else -e.shares_micro end) over fold as balance
             from entries e join positions p using (trader_id, outcome_id)
             where p.unmatched_shares_micro > 0
             window fold as (partition by e.trader_id, e.outcome_id order by ${FOLD_ORDER} rows unbounded preceding)
           ) b
         ) f
       ) partial
       union all
       select p.trader_id, greatest(m.settled_on, (p.last_at at time zone 'UTC')::date), 0, p.cost_micro
       from positions p join markets m on m.id = p.market_id
       where p.trader_id = any($1::bigint[]) and p.settled_micro is not null
     ), moved as (
       select trader_id, day, sum(paid_micro) as paid_micro, sum(left_micro) as left_micro from moves group by trader_id, day
     ), known as (
       select trader_id, day, realized_micro + settled_micro - fees_micro + rebates_micro as pnl_micro
       from trader_days where trader_id = any($1::bigint[])
     ), curve as (
       select trader_id, day, pnl_micro, coalesce(paid_micro, 0) + coalesce(sum(paid_micro - left_micro) over (
           partition by trader_id order by day rows between unbounded preceding and 1 preceding), 0) as capital_micro
       from known full join moved using (trader_id, day)
     )
     select trader_id, day::text as day, pnl_micro, nullif(capital_micro, 0)::bigint as capital_micro
     from curve where pnl_micro is not null order by trader_id, day`,
    [traderIds],
  );
  const days = new Map<number, WalletDay[]>(traderIds.map((id) => [id, []]));
  for (const row of rows) {
    days.get(Number(row.trader_id))?.push({
      day: row.day,
      pnlMicro: BigInt(row.pnl_micro),
      capitalMicro: row.capital_micro === null ? null : BigInt(row.capital_micro),
    });
  }
  return days;
}
