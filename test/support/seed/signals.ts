import type { Database } from "../../../src/db/client.ts";
import { flowEntries, largeTrades, suspiciousTrades } from "../../../src/db/schema.ts";
import { eq } from "drizzle-orm";
import { aLargeTrade } from "./large-trades.ts";

export type FlowFacts = Partial<typeof flowEntries.$inferInsert> & { generation: number; marketId: number };

/**
 * The flow of A-grade traders through a market: a buy of YES for a positive net amount, of NO for a negative
 * one.
 */
export async function aFlow(db: Database, facts: FlowFacts): Promise<void> {
  const netMicro = facts.netMicro ?? 10_000_000_000n;
  const bought = {
    netMicro,
    buyMicro: netMicro < 0n ? -netMicro : netMicro,
    sellMicro: 0n,
    tradeCount: 1,
    walletCount: 1,
  };
  await db.insert(flowEntries).values({ grade: "A", ...bought, ...facts });
}

export type FlagFacts = Partial<typeof suspiciousTrades.$inferInsert>;

/**
 * A large trade judged as suspicious, with its own trader and market unless `largeTradeId` is given. @returns
 * the flag's row id
 */
export async function aSuspiciousTrade(db: Database, facts: FlagFacts = {}): Promise<number> {
  const { largeTradeId = await aLargeTrade(db), score = 72, track = "whale", ...columns } = facts;
  const [trade] = await db
    .update(largeTrades)
    .set({ suspicionScore: score, suspicionTrack: track, judgedAt: new Date("2026-11-20T12:05:00Z") })
    .where(eq(largeTrades.id, largeTradeId))
    .returning();
  if (trade === undefined) throw new Error("no large trade to flag");
  const { traderId, marketId, tradedAt } = trade;
  const scores = { timing: null, edge: null, size: 72.5, fresh_wallet: null };
  const evidence = { version: "suspicion-1", track, size: 72.5, fresh: null, total: 72.5, floor: 60 };
  const [row] = await db
    .insert(suspiciousTrades)
    .values({ largeTradeId, traderId, marketId, tradedAt, track, score, side: "yes", scores, evidence, ...columns })
    .returning({ id: suspiciousTrades.id });
  if (row === undefined) throw new Error("no flag was stored");
  return row.id;
}
