import { sql } from "drizzle-orm";
import type { Database } from "../../../src/db/client.ts";
import { ingestCheckpoints, largeTrades, ledgerEntries } from "../../../src/db/schema.ts";
import { multiplyMicro } from "../../../src/domain/money.ts";
import { aMarket, type SeededMarket } from "./markets.ts";
import { hex, nextNumber } from "./numbers.ts";
import { aSeededTrader, type SeededTrader } from "./traders/traders.ts";

export interface LargeTradeFacts extends Partial<
  Omit<typeof largeTrades.$inferInsert, "traderId" | "marketId" | "outcomeId" | "entryId">
> {
  trader?: SeededTrader;
  market?: SeededMarket;
  outcome?: 0 | 1;
}

/** @returns its row id */
export async function aLargeTrade(db: Database, facts: LargeTradeFacts = {}): Promise<number> {
  const { trader = await aSeededTrader(db), market = await aMarket(db), outcome = 0, ...columns } = facts;
  const trade = {
    traderId: trader.id,
    marketId: market.id,
    outcomeId: market.outcomes[outcome].id,
    sharesMicro: 20_000_000_000n,
    price: "0.5",
    tradedAt: new Date("2026-11-20T12:00:00Z"),
  };
  const { sharesMicro, price, tradedAt } = { ...trade, ...columns };
  const [entry] = await db
    .insert(ledgerEntries)
    .values({
      ...trade,
      txHash: `\\${hex(nextNumber(), 64).slice(1)}`,
      kind: "buy",
      ordinal: 0,
      usdMicro: multiplyMicro(sharesMicro, price) ?? 0n,
      sharesMicro,
      price,
      tradedAt,
    })
    .returning({ id: ledgerEntries.id });
  if (entry === undefined) throw new Error("no entry was stored");
  const [row] = await db
    .insert(largeTrades)
    .values({
      ...trade,
      entryId: entry.id,
      side: "BUY",
      sizeUsdMicro: 10_000_000_000n,
      reviewScore: 0.5,
      gradeAtTradeStatus: "unknown",
      ...columns,
    })
    .returning({ id: largeTrades.id });
  if (row === undefined) throw new Error("no large trade was stored");
  return row.id;
}

/**
 * Writes the events of large trades to the outbox, oldest row first, as recording them does. @param id null
 * for all
 */
export async function publishLargeTrades(db: Database, id: number | null = null): Promise<void> {
  await db.execute(sql`
    insert into events (epoch, type, payload, large_trade_id)
    select (select max(epoch) from outbox_epoch), 'large_trade_inserted_v2', jsonb_build_object(
      'whale_alert_id', l.id, 'condition_id', m.condition_id, 'trader_id', t.id, 'wallet', t.address, 'grade', t.grade,
      'size_usd', (l.size_usd_micro / 1000000.0)::text, 'shares', (l.shares_micro / 1000000.0)::text, 'price', l.price::text, 'side', l.side,
      'outcome_index', o.outcome_index, 'traded_at', to_char(l.traded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'platform', 'polymarket'), l.id
    from large_trades l join traders t on t.id = l.trader_id join markets m on m.id = l.market_id join outcomes o on o.id = l.outcome_id
    where l.id = coalesce(${id}::bigint, l.id) order by l.id`);
}

/** A large trade with its event, as ingest records it. @returns the trade's row id */
export async function aPublishedLargeTrade(db: Database, facts: LargeTradeFacts = {}): Promise<number> {
  const id = await aLargeTrade(db, facts);
  await publishLargeTrades(db, id);
  return id;
}

/** Sets the time at which the takers' feed was last read. */
export async function theTradeFeedWasRead(db: Database, updatedAt: Date): Promise<void> {
  await db.insert(ingestCheckpoints).values({ feed: "trades:takers", state: {}, updatedAt });
}

/** The same for the feed of all fills, which records no large trades. */
export async function theFillFeedWasRead(db: Database, updatedAt: Date): Promise<void> {
  await db.insert(ingestCheckpoints).values({ feed: "trades:all", state: {}, updatedAt });
}

/**
 * Returns once everything stored is below the commit horizon, which transactions of other databases also hold
 * back.
 */
export async function passHorizon(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await db.execute(
      sql`select coalesce(max(commit_xid::text::bigint) < pg_snapshot_xmin(pg_current_snapshot())::text::bigint, true) as passed
        from (select commit_xid from large_trades union all select commit_xid from events) stored`,
    );
    if (rows[0]?.["passed"] === true) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
