import { sql, type SQL } from "drizzle-orm";
import { m, o, p, totals } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isUnknownCombinationSql } from "../../db/fragments/completeness.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { outcomes } from "../../db/schema.ts";
import { array, columnName, run } from "../../db/sql.ts";
import { positionValue } from "../ledger/position-value.ts";
import { lockValuedPrices } from "../ledger/valued-prices.ts";
import { mergeTraderDays } from "../ledger/write-trader-days.ts";

/**
 * A market whose payouts, outcomes or settlement day may have changed, with the day that its results counted
 * on before.
 */
export interface SettlementChange {
  readonly marketId: string;
  /** YYYY-MM-DD; null when the market was not resolved. */
  readonly previousSettledOn: string | null;
}

/**
 * Updates `settled_micro` of the markets' positions, and the totals and days of their traders, to match the
 * payouts. The formula equals `settledMicro` in src/scoring/position-fold.ts. It is SQL because a popular
 * market has a hundred thousand positions; a test checks that both agree. The market counts of a trader
 * follow `countMarket`.
 */
export async function settlePositions(session: Session, changes: readonly SettlementChange[]): Promise<void> {
  if (changes.length === 0) return;
  const value = positionValue({ shares: p.sharesMicro, settled: sql`c.after`, price: sql`c.valued_price` });
  const marketIds = changes.map(({ marketId }) => marketId);
  await run(
    session,
    sql`with priced as materialized (
       ${lockValuedPrices(sql`${outcomes.marketId} = any(${array(marketIds, "bigint")})`)}
     ), settled as (
       ${selectSettled(changes)}
     ), changed as (
       select * from settled where before is distinct from after
     ), written as (
       update ${p} set ${columnName(p.settledMicro)} = c.after, ${columnName(p.valueMicro)} = ${value}
       from changed c where ${p.traderId} = c.trader_id and ${p.outcomeId} = c.outcome_id
     ), by_market as (
       ${SELECT_BY_MARKET}
     ), totalled as (
       ${UPDATE_TOTALS}
     ), days as (
       ${SELECT_DAYS}
     )
     ${mergeTraderDays(sql`days`, ["settledMicro"])}`,
  );
}

/**
 * The positions of the changed markets with their result before and after. Shares are never negative, so
 * adding half before the division rounds half away from zero.
 */
const selectSettled = (changes: readonly SettlementChange[]): SQL => sql`
  select ${p.traderId}, ${p.outcomeId}, ${p.marketId}, ${p.realizedMicro} - ${p.feesMicro} as net_micro,
    ${p.settledMicro} as before, ${p.unmatchedSharesMicro} = 0 as is_matched,
    input.day_before, ${m.settledOn} as day_after, ${o.valuedPrice},
    case when ${m.payoutsPpm}[${o.outcomeIndex} + 1] is null then null
      else (div(${p.sharesMicro}::numeric * ${m.payoutsPpm}[${o.outcomeIndex} + 1] + 500000, 1000000))::bigint
        - ${p.costMicro} end as after
  from ${changeRows(changes)}
  join ${m} on ${m.id} = input.market_id and not ${isUnknownCombinationSql(m)}
  join ${p} on ${p.marketId} = ${m.id}
  join priced o on ${o.id} = ${p.outcomeId}`;

const changeRows = (changes: readonly SettlementChange[]): SQL =>
  recordset("input", changes, {
    market_id: ["bigint", ({ marketId }) => marketId],
    day_before: ["date", ({ previousSettledOn }) => previousSettledOn],
  });

/** The changed markets of each trader, with all its positions in them. */
const SELECT_BY_MARKET = sql`
  select trader_id, sum(coalesce(after, 0) - coalesce(before, 0)) as settled_micro,
    bool_and(before is not null) as was_resolved, bool_and(is_matched) as is_known,
    sum(net_micro + coalesce(before, 0)) as result_before,
    bool_and(after is not null) as is_resolved, sum(net_micro + coalesce(after, 0)) as result_after
  from settled group by trader_id, market_id having bool_or(before is distinct from after)`;

const UPDATE_TOTALS = sql`
  update ${totals} set ${columnName(totals.settledMicro)} = ${totals.settledMicro} + c.settled_micro,
    ${columnName(totals.marketsResolved)} = ${totals.marketsResolved} + c.resolved,
    ${columnName(totals.marketsWon)} = ${totals.marketsWon} + c.won,
    ${columnName(totals.marketsDecided)} = ${totals.marketsDecided} + c.decided
  from (
    select trader_id, sum(settled_micro) as settled_micro, sum(is_resolved::int - was_resolved::int) as resolved,
      sum((is_known and is_resolved and result_after > 0)::int
        - (is_known and was_resolved and result_before > 0)::int) as won,
      sum((is_known and is_resolved and result_after <> 0)::int
        - (is_known and was_resolved and result_before <> 0)::int) as decided
    from by_market group by trader_id
  ) c where ${totals.traderId} = c.trader_id`;

/** The change of each trader's days: a result leaves the day on which it counted, for the new one. */
const SELECT_DAYS = sql`
  select trader_id, day, sum(settled_micro)::bigint as settled_micro
  from (
    select trader_id, day_before as day, -before as settled_micro from settled where before is not null
    union all
    select trader_id, day_after, after from settled where after is not null
  ) day_results group by trader_id, day having sum(settled_micro) <> 0`;
