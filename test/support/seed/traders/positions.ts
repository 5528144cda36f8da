import { sql } from "drizzle-orm";
import type { Database } from "../../../../src/db/client.ts";
import { positions } from "../../../../src/db/schema.ts";
import { EMPTY_POSITION } from "../../../../src/scoring/position-fold.ts";
import type { SeededMarket } from "../markets.ts";
import type { SeededTrader } from "./traders.ts";

export type PositionFacts = Partial<typeof positions.$inferInsert> & {
  trader: SeededTrader;
  market: SeededMarket;
  outcome?: 0 | 1;
};

/**
 * A trader's position in one outcome of a market, not settled unless the facts differ. If it has a value and
 * its outcome has no price yet, the outcome's last trade price is set so that the shares have this value:
 * lists sort by stored values but show shares at the price.
 */
export async function aPosition(db: Database, { trader, market, outcome = 0, ...facts }: PositionFacts): Promise<void> {
  const at = new Date("2026-11-01T00:00:00Z");
  await db.insert(positions).values({
    traderId: trader.id,
    outcomeId: market.outcomes[outcome].id,
    marketId: market.id,
    ...EMPTY_POSITION,
    entryCount: 1,
    firstAt: at,
    lastAt: at,
    ...facts,
  });
  await countMarkets(db, trader);
  const { sharesMicro = 0n, valueMicro = null } = facts;
  if (valueMicro === null || sharesMicro === 0n) return;
  await db.execute(sql`
    update outcomes set last_trade_price = round(${String(valueMicro)}::numeric / ${String(sharesMicro)}::numeric, 6)
    where id = ${market.outcomes[outcome].id} and last_trade_price is null and best_bid is null and best_ask is null`);
}

/** Recomputes a trader's market counts from its positions, if the trader has totals. */
export async function countMarkets(db: Database, trader: SeededTrader): Promise<void> {
  await db.execute(sql`
    update trader_totals set (markets_traded, markets_resolved, markets_won, markets_decided) = (
      select count(*), count(*) filter (where is_resolved), count(*) filter (where is_resolved and is_known and result_micro > 0),
        count(*) filter (where is_resolved and is_known and result_micro <> 0)
      from (
        select bool_and(settled_micro is not null) as is_resolved, bool_and(unmatched_shares_micro = 0) as is_known,
          sum(realized_micro + coalesce(settled_micro, 0) - fees_micro) as result_micro
        from positions where trader_id = ${trader.id} group by market_id
      ) by_market
    ) where trader_id = ${trader.id}`);
}
