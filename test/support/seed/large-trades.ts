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

/** Says that the takers' feed was read at this time. */
export async function theTradeFeedWasRead(db: Database, updatedAt: Date): Promise<void> {
  await db.insert(ingestCheckpoints).values({ feed: "trades:takers", state: {}, updatedAt });
}

/** Returns once everything stored so far is below the commit horizon: transactions of other databases hold it too. */
export async function passHorizon(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await db.execute(
      sql`select coalesce(max(commit_xid::text::bigint) < pg_snapshot_xmin(pg_current_snapshot())::text::bigint, true) as passed from large_trades`,
    );
    if (rows[0]?.["passed"] === true) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
