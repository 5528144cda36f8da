import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, m, o, p } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isUnknownCombinationSql } from "../../db/fragments/completeness.ts";
import { positionResult } from "../../db/fragments/profit.ts";
import { array, bigintText, epochMs, integer, selectRows } from "../../db/sql.ts";

/**
 * One trader's activity and result in one market, both outcomes together. Fees count in the result but not in
 * the cost.
 */
export interface TraderMarket {
  readonly conditionId: string;
  readonly category: string | null;
  /** The provider's tag slugs. */
  readonly tags: readonly string[];
  /**
   * Dollars paid in buys and splits, plus the uniform price of shares received from conversions, in
   * millionths.
   */
  readonly costMicro: bigint;
  readonly pnlMicro: bigint;
  /** Null until all its positions there have settled, and when unmatched shares make the result unknown. */
  readonly settledAtMs: number | null;
  /**
   * Price per share bought or split. Null without any, after a sale of shares whose basis is unknown, and
   * when a conversion gave shares: those are booked at our price, not at one that the trader paid.
   */
  readonly entryPrice: number | null;
  readonly payout: number | null;
  /** Whether the trader bought or split shares of both outcomes. */
  readonly isTwoSided: boolean;
}

const MarketRow = z.object({
  trader_id: integer,
  condition_id: z.string(),
  category: z.string().nullable(),
  tags: z.array(z.string()),
  cost_micro: bigintText,
  pnl_micro: bigintText,
  settled_ms: z.number().nullable(),
  entry_price: z.number().nullable(),
  payout: z.number().nullable(),
  two_sided: z.boolean(),
});

const ACQUIRED: SQL = sql`(${p.boughtSharesMicro} + coalesce(given.shares_micro, 0))`;

/**
 * `traded`: the sums of the traders' positions and acquisitions in each known market. A position has the sums of its
 * purchases; those of splits and conversions are in its entries, which the index finds by their kind.
 */
const tradedMarkets = (traderIds: readonly number[], asOf: string): SQL => sql`
  given as (
    select ${e.traderId}, ${e.outcomeId}, sum(${e.usdMicro}) as usd_micro, sum(${e.sharesMicro}) as shares_micro,
      bool_or(${e.kind} = 'convert_in') as converted, bool_or(${e.kind} = 'split') as split
    from ${e} where ${e.traderId} = any(${array(traderIds, "bigint")}) and ${e.kind} in ('split', 'convert_in')
    group by ${e.traderId}, ${e.outcomeId}
  ), traded as (
    select ${p.traderId}, ${p.marketId}, sum(${p.boughtUsdMicro} + coalesce(given.usd_micro, 0)) as cost_micro,
      sum(${ACQUIRED}) as shares_micro,
      sum(${positionResult(p)}) as pnl_micro,
      bool_and(${p.settledMicro} is not null and ${m.settledOn} <= ${asOf}::date) as settled,
      sum(${p.unmatchedSharesMicro}) = 0 as is_matched,
      sum(${p.unmatchedSharesMicro}) = 0 and not coalesce(bool_or(given.converted), false) as is_priced,
      sum(${ACQUIRED} * ${m.payoutsPpm}[${o.outcomeIndex} + 1]) as payout_parts,
      count(*) filter (where ${p.boughtSharesMicro} > 0 or given.split) > 1 as two_sided
    from ${p}
    join ${m} on ${m.id} = ${p.marketId} and not ${isUnknownCombinationSql(m)}
    join ${o} on ${o.id} = ${p.outcomeId}
    left join given on given.trader_id = ${p.traderId} and given.outcome_id = ${p.outcomeId}
    where ${p.traderId} = any(${array(traderIds, "bigint")})
    group by ${p.traderId}, ${p.marketId}
  )`;

const SETTLED_AT: SQL = sql`coalesce(${m.resolvedAt}, ${m.settledOn}::timestamp at time zone 'UTC')`;

/**
 * Loads every known market of some traders.
 *
 * @param asOf YYYY-MM-DD; a market that settled on a later day counts as unsettled
 */
export async function loadTraderMarkets(
  session: Session,
  traderIds: readonly number[],
  asOf: string,
): Promise<Map<number, TraderMarket[]>> {
  const rows = await selectRows(
    session,
    sql`with ${tradedMarkets(traderIds, asOf)}
     select traded.trader_id, ${m.conditionId}, ${m.category}, ${m.tags}, traded.cost_micro, traded.pnl_micro,
       case when traded.settled and traded.is_matched then ${epochMs(SETTLED_AT)} end as settled_ms,
       case when traded.is_priced then least(1, (traded.cost_micro / nullif(traded.shares_micro, 0))::float8) end
         as entry_price,
       case when traded.is_priced and traded.settled
         then (traded.payout_parts / nullif(traded.shares_micro, 0) / 1000000)::float8 end as payout,
       traded.two_sided
     from traded join ${m} on ${m.id} = traded.market_id
     order by traded.trader_id, ${m.conditionId}`,
    MarketRow,
  );
  const markets = new Map<number, TraderMarket[]>(traderIds.map((id) => [id, []]));
  for (const row of rows) {
    markets.get(row.trader_id)?.push({
      conditionId: row.condition_id,
      category: row.category,
      tags: row.tags,
      costMicro: row.cost_micro,
      pnlMicro: row.pnl_micro,
      settledAtMs: row.settled_ms,
      entryPrice: row.entry_price,
      payout: row.payout,
      isTwoSided: row.two_sided,
    });
  }
  return markets;
}
