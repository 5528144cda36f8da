import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, m, p } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { selectUnknownCombinations } from "../../db/fragments/completeness.ts";
import { bookedProfit } from "../../db/fragments/profit.ts";
import { traderDays } from "../../db/schema.ts";
import { array, bigintText, columnNames, integer, selectRows } from "../../db/sql.ts";
import type { TraderDay } from "../../scoring/metrics/series/daily-series.ts";

const DAY: SQL = sql`(${e.tradedAt} at time zone 'UTC')::date`;
const ADDS: SQL = sql`${e.kind} in ('buy', 'split', 'convert_in')`;

/** The order in which a position is folded, see `compareMovements`. */
const FOLD_ORDER: SQL = sql`${e.tradedAt},
  array_position(array['split', 'buy', 'convert_in', 'merge', 'convert_out', 'sell'], ${e.kind}), ${e.txHash},
  ${e.sharesMicro}, ${e.ordinal}`;

/**
 * The traders' entries in known markets, with their positions. Both are limited to the traders: a join would read the positions
 * of all others.
 */
const fromEntries = (traderIds: readonly number[]): SQL => sql`
  from ${e} join ${p} using (${columnNames(p.traderId, p.outcomeId)})
  where ${e.traderId} = any(${array(traderIds, "bigint")}) and ${p.traderId} = any(${array(traderIds, "bigint")})
    and ${e.marketId} not in (${selectUnknownCombinations(traderIds)})`;

/** Moves of positions without unmatched shares. */
const matchedMoves = (traderIds: readonly number[]): SQL => sql`
  select ${e.traderId}, ${DAY} as day, case when ${ADDS} then ${e.usdMicro} else 0 end as paid_micro,
    case when ${ADDS} then 0 else coalesce(${e.usdMicro} - ${e.realizedMicro}, 0) end as left_micro
  ${fromEntries(traderIds)} and ${p.unmatchedSharesMicro} = 0`;

/**
 * Moves of positions with unmatched shares: a running balance that never falls below zero finds the matched
 * part.
 */
const partlyMatchedMoves = (traderIds: readonly number[]): SQL => sql`
  select trader_id, day, case when adds then usd_micro else 0 end,
    case when not adds and matched > 0
      then div(2 * usd_micro * matched + shares_micro, 2 * shares_micro) - realized_micro else 0 end
  from (
    select f.*, shares_micro + deficit - lag(deficit, 1, 0::numeric)
      over (partition by trader_id, outcome_id order by seq) as matched
    from (
      select b.*, least(0, min(balance) over (partition by trader_id, outcome_id order by seq)) as deficit
      from (
        select ${e.traderId}, ${e.outcomeId}, ${DAY} as day, ${ADDS} as adds, ${e.usdMicro}, ${e.sharesMicro},
          ${e.realizedMicro}, row_number() over fold as seq,
          sum(case when ${ADDS} then ${e.sharesMicro} else -${e.sharesMicro} end) over fold as balance
        ${fromEntries(traderIds)} and ${p.unmatchedSharesMicro} > 0
        window fold as (
          partition by ${e.traderId}, ${e.outcomeId} order by ${FOLD_ORDER} rows unbounded preceding)
      ) b
    ) f
  ) partial`;

/** The cost that leaves with the settlement of positions. */
const settlementMoves = (traderIds: SQL): SQL => sql`
  select ${p.traderId}, greatest(${m.settledOn}, (${p.lastAt} at time zone 'UTC')::date), 0, ${p.costMicro}
  from ${p} join ${m} on ${m.id} = ${p.marketId}
  where ${p.traderId} = any(${traderIds}) and ${p.settledMicro} is not null`;

/**
 * Loads the recorded days of traders with their capital at work in ordinary markets: open positions at the
 * start of the day, at cost, plus all that was paid in on the day.
 *
 * The cost that a sale, merge or conversion removes is its proceeds minus its realized result. If a sale
 * exceeds the open shares, only the matched part realizes, as in `applyMovement`; a running balance that
 * never falls below zero finds that part. Remaining cost leaves on the day the market settled, or with the
 * position's last entry if that is later. Shares of unknown basis have no cost and, as in the P&L, no result.
 * A day without capital at work has a null capital.
 *
 * @returns oldest first, by trader id
 */
export async function loadTraderDays(
  session: Session,
  traderIds: readonly number[],
): Promise<Map<number, TraderDay[]>> {
  const rows = await selectRows(session, selectDays(traderIds), DayRow);
  const days = new Map<number, TraderDay[]>(traderIds.map((id) => [id, []]));
  for (const row of rows) {
    days.get(row.trader_id)?.push({ day: row.day, pnlMicro: row.pnl_micro, capitalMicro: row.capital_micro });
  }
  return days;
}

const DayRow = z.object({
  trader_id: integer,
  day: z.string(),
  pnl_micro: bigintText,
  capital_micro: bigintText.nullable(),
});

function selectDays(traderIds: readonly number[]): SQL {
  const ids = array(traderIds, "bigint");
  const { traderId, day } = traderDays;
  return sql`with moves as (
       ${matchedMoves(traderIds)}
       union all
       ${partlyMatchedMoves(traderIds)}
       union all
       ${settlementMoves(ids)}
     ), daily_moves as (
       select trader_id, day, sum(paid_micro) as paid_micro, sum(left_micro) as left_micro from moves
         group by trader_id, day
     ), known as (
       select ${traderId}, ${day}, ${bookedProfit(traderDays)} as pnl_micro
       from ${traderDays} where ${traderId} = any(${ids})
     ), curve as (
       select trader_id, day, pnl_micro, coalesce(paid_micro, 0) + coalesce(sum(paid_micro - left_micro) over (
           partition by trader_id order by day rows between unbounded preceding and 1 preceding), 0) as capital_micro
       from known full join daily_moves using (trader_id, day)
     )
     select trader_id, day::text as day, pnl_micro, nullif(capital_micro, 0)::bigint as capital_micro
     from curve where pnl_micro is not null order by trader_id, day`;
}
