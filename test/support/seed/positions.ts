import { sql } from "drizzle-orm";
import type { Database } from "../../../src/db/client.ts";
import { positions } from "../../../src/db/schema.ts";
import { EMPTY_POSITION } from "../../../src/scoring/position.ts";
import type { Market } from "./markets.ts";
import type { Wallet } from "./wallets.ts";

export type PositionFacts = Partial<typeof positions.$inferInsert> & { wallet: Wallet; market: Market; outcome?: 0 | 1 };

/**
 * What a wallet made in one outcome of a market; not settled unless the facts say so. With a value, and no price of the outcome yet, that was last
 * traded at what makes the shares worth it: lists are in the order of stored values, and show shares at the price.
 */
export async function aPosition(db: Database, { wallet, market, outcome = 0, ...facts }: PositionFacts): Promise<void> {
  const at = new Date("2026-11-01T00:00:00Z");
  await db.insert(positions).values({
    traderId: wallet.id,
    outcomeId: market.outcomes[outcome].id,
    marketId: market.id,
    ...EMPTY_POSITION,
    entryCount: 1,
    firstAt: at,
    lastAt: at,
    ...facts,
  });
  await countMarkets(db, wallet);
  const { sharesMicro = 0n, valueMicro = null } = facts;
  if (valueMicro === null || sharesMicro === 0n) return;
  await db.execute(sql`
    update outcomes set last_trade_price = round(${String(valueMicro)}::numeric / ${String(sharesMicro)}::numeric, 6)
    where id = ${market.outcomes[outcome].id} and last_trade_price is null and best_bid is null and best_ask is null`);
}

/** Brings a wallet's counts of markets in line with its positions, if it has totals to hold them. */
export async function countMarkets(db: Database, wallet: Wallet): Promise<void> {
  await db.execute(sql`
    update trader_totals set (markets_traded, markets_resolved, markets_won, markets_decided) = (
      select count(*), count(*) filter (where is_resolved), count(*) filter (where is_resolved and is_known and result_micro > 0),
        count(*) filter (where is_resolved and is_known and result_micro <> 0)
      from (
        select bool_and(settled_micro is not null) as is_resolved, bool_and(unmatched_shares_micro = 0) as is_known,
          sum(realized_micro + coalesce(settled_micro, 0) - fees_micro) as result_micro
        from positions where trader_id = ${wallet.id} group by market_id
      ) by_market
    ) where trader_id = ${wallet.id}`);
}
