import { sql } from "drizzle-orm";
import type { Database } from "../../../src/db/client.ts";
import { ingestCheckpoints, largeTrades, ledgerEntries } from "../../../src/db/schema.ts";
import { multiplyMicro } from "../../../src/domain/money.ts";
import { aMarket, type Market } from "./markets.ts";
import { hex, nextNumber } from "./numbers.ts";
import { aWallet, type Wallet } from "./wallets.ts";

export interface LargeTradeFacts extends Partial<Omit<typeof largeTrades.$inferInsert, "traderId" | "marketId" | "outcomeId" | "entryId">> {
  wallet?: Wallet;
  market?: Market;
  outcome?: 0 | 1;
}

/** @returns its row id */
export async function aLargeTrade(db: Database, facts: LargeTradeFacts = {}): Promise<number> {
  const { wallet = await aWallet(db), market = await aMarket(db), outcome = 0, ...columns } = facts;
  const trade = {
    traderId: wallet.id,
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

/** Puts the events of large trades into the outbox, oldest row first, as recording them does. @param id null for all */
export async function tellOfLargeTrades(db: Database, id: number | null = null): Promise<void> {
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

/** A large trade with its event, as it is recorded. @returns the trade's row id */
export async function aToldLargeTrade(db: Database, facts: LargeTradeFacts = {}): Promise<number> {
  const id = await aLargeTrade(db, facts);
  await tellOfLargeTrades(db, id);
  return id;
}

/** Says that the takers' feed was read at this time. */
export async function theTradeFeedWasRead(db: Database, updatedAt: Date): Promise<void> {
  await db.insert(ingestCheckpoints).values({ feed: "trades:takers", state: {}, updatedAt });
}

/** The same of the feed of all fills, which tells of no large trade. */
export async function theFillFeedWasRead(db: Database, updatedAt: Date): Promise<void> {
  await db.insert(ingestCheckpoints).values({ feed: "trades:all", state: {}, updatedAt });
}

/** Returns once everything stored so far is below the commit horizon: transactions of other databases hold it too. */
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
