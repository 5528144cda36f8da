import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, m, p, totals } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { selectUnknownCombinations } from "../../db/fragments/completeness.ts";
import { bookedProfit } from "../../db/fragments/profit.ts";
import { traderDays } from "../../db/schema.ts";
import { array, bigintText, integer, selectRows } from "../../db/sql.ts";
import type { TraderDay } from "../../scoring/metrics/series/daily-series.ts";

const DAY: SQL = sql`(${e.tradedAt} at time zone 'UTC')::date`;
const ADDS: SQL = sql`${e.kind} in ('buy', 'split', 'convert_in')`;
const FILLS: SQL = sql`(${e.kind} in ('buy', 'sell'))::int`;

/** The order in which a position is folded, see `compareMovements`. */
const FOLD_ORDER: SQL = sql`${e.tradedAt},
  array_position(array['split', 'buy', 'convert_in', 'merge', 'convert_out', 'sell'], ${e.kind}), ${e.txHash},
  ${e.sharesMicro}, ${e.ordinal}`;

/**
 * `unmatched`: the positions with unmatched shares. Only those of traders whose totals have any are read: a join of every entry
 * to its position would cost more than the entries.
 */
const unmatchedPositions = (traderIds: readonly number[]): SQL => sql`
  unmatched as materialized (
    select ${p.traderId}, ${p.outcomeId} from ${totals} join ${p} on ${p.traderId} = ${totals.traderId}
    where ${totals.traderId} = any(${array(traderIds, "bigint")}) and ${totals.unmatchedPositions} > 0
      and ${p.unmatchedSharesMicro} > 0
  )`;

/** SQL condition: the entry is one of the traders in a known market. */
const isOfTraders = (traderIds: readonly number[]): SQL =>
  sql`(${e.traderId} = any(${array(traderIds, "bigint")}) and ${e.marketId} not in (select market_id from unknown))`;

/** Moves of positions without unmatched shares. */
const matchedMoves = (traderIds: readonly number[]): SQL => sql`
  select ${e.traderId}, ${DAY} as day, case when ${ADDS} then ${e.usdMicro} else 0 end as paid_micro,
    case when ${ADDS} then 0 else coalesce(${e.usdMicro} - ${e.realizedMicro}, 0) end as left_micro, ${FILLS} as fills
  from ${e} left join unmatched on unmatched.trader_id = ${e.traderId} and unmatched.outcome_id = ${e.outcomeId}
  where ${isOfTraders(traderIds)} and unmatched.trader_id is null`;

/**
 * Moves of positions with unmatched shares: a running balance that never falls below zero finds the matched
 * part.
 */
const partlyMatchedMoves = (traderIds: readonly number[]): SQL => sql`
  select trader_id, day, case when adds then usd_micro else 0 end,
    case when not adds and matched > 0
      then div(2 * usd_micro * matched + shares_micro, 2 * shares_micro) - realized_micro else 0 end, fills
  from (
    select f.*, shares_micro + deficit - lag(deficit, 1, 0::numeric)
      over (partition by trader_id, outcome_id order by seq) as matched
    from (
      select b.*, least(0, min(balance) over (partition by trader_id, outcome_id order by seq)) as deficit
      from (
        select ${e.traderId}, ${e.outcomeId}, ${DAY} as day, ${ADDS} as adds, ${e.usdMicro}, ${e.sharesMicro},
          ${e.realizedMicro}, ${FILLS} as fills, row_number() over fold as seq,
          sum(case when ${ADDS} then ${e.sharesMicro} else -${e.sharesMicro} end) over fold as balance
        from ${e} join unmatched on unmatched.trader_id = ${e.traderId} and unmatched.outcome_id = ${e.outcomeId}
        where ${isOfTraders(traderIds)}
        window fold as (
          partition by ${e.traderId}, ${e.outcomeId} order by ${FOLD_ORDER} rows unbounded preceding)
      ) b
    ) f
  ) partial`;

/** The cost that leaves with the settlement of positions. */
const settlementMoves = (traderIds: SQL): SQL => sql`
  select ${p.traderId}, greatest(${m.settledOn}, (${p.lastAt} at time zone 'UTC')::date), 0, ${p.costMicro}, 0
  from ${p} join ${m} on ${m.id} = ${p.marketId}
  where ${p.traderId} = any(${traderIds}) and ${p.settledMicro} is not null`;

/** A recorded day with its number of buys and sells. */
export interface RecordedDay extends TraderDay {
  readonly fills: number;
}

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
): Promise<Map<number, RecordedDay[]>> {
  const rows = await selectRows(session, selectDays(traderIds), DayRow);
  const days = new Map<number, RecordedDay[]>(traderIds.map((id) => [id, []]));
  for (const { trader_id: id, day, pnl_micro: pnlMicro, capital_micro: capitalMicro, fills } of rows)
    days.get(id)?.push({ day, pnlMicro, capitalMicro, fills });
  return days;
}

const DayRow = z.object({
  trader_id: integer,
  day: z.string(),
  pnl_micro: bigintText,
  capital_micro: bigintText.nullable(),
  fills: integer,
});

function selectDays(traderIds: readonly number[]): SQL {
  const ids = array(traderIds, "bigint");
  const { traderId, day } = traderDays;
  return sql`with unknown as materialized (
       ${selectUnknownCombinations(traderIds)}
     ), ${unmatchedPositions(traderIds)}, moves as (
       ${matchedMoves(traderIds)}
       union all
       ${partlyMatchedMoves(traderIds)}
       union all
       ${settlementMoves(ids)}
     ), daily_moves as (
       select trader_id, day, sum(paid_micro) as paid_micro, sum(left_micro) as left_micro, sum(fills) as fills from moves
         group by trader_id, day
     ), known as (
       select ${traderId}, ${day}, ${bookedProfit(traderDays)} as pnl_micro
       from ${traderDays} where ${traderId} = any(${ids})
     ), curve as (
       select trader_id, day, pnl_micro, coalesce(fills, 0) as fills, coalesce(paid_micro, 0) + coalesce(sum(paid_micro - left_micro) over (
           partition by trader_id order by day rows between unbounded preceding and 1 preceding), 0) as capital_micro
       from known full join daily_moves using (trader_id, day)
     )
     select trader_id, day::text as day, pnl_micro, nullif(capital_micro, 0)::bigint as capital_micro, fills
     from curve where pnl_micro is not null order by trader_id, day`;
}
