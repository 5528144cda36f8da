import type { Database } from "../../../../src/db/client.ts";
import { holderScans, marketHolders } from "../../../../src/db/schema.ts";
import type { SeededMarket } from "../markets.ts";
import type { SeededTrader } from "./traders.ts";

export interface SeededHolding {
  readonly trader: SeededTrader;
  readonly outcome?: 0 | 1;
  readonly shares: number;
}

/** A complete scan of a market, read just now unless the facts differ. */
export async function aHolderScan(
  db: Database,
  market: SeededMarket,
  held: readonly SeededHolding[],
  facts: Partial<typeof holderScans.$inferInsert> = {},
): Promise<void> {
  const now = new Date();
  await db
    .insert(holderScans)
    .values({ marketId: market.id, requestedAt: now, fetchedAt: now, walletCount: held.length, ...facts });
  if (held.length > 0) await addHoldings(db, market, held);
}

/** Holdings that a scan has found. */
export async function addHoldings(db: Database, market: SeededMarket, held: readonly SeededHolding[]): Promise<void> {
  await db.insert(marketHolders).values(
    held.map(({ trader, outcome = 0, shares }) => ({
      marketId: market.id,
      traderId: trader.id,
      outcomeIndex: outcome,
      sharesMicro: BigInt(Math.round(shares * 1e6)),
    })),
  );
}
