import type { Database } from "../../../src/db/client.ts";
import { holderScans, marketHolders } from "../../../src/db/schema.ts";
import type { Market } from "./markets.ts";
import type { Wallet } from "./wallets.ts";

export interface Held {
  readonly wallet: Wallet;
  readonly outcome?: 0 | 1;
  readonly shares: number;
  /** Dollars; null where the provider gave none. */
  readonly value: number | null;
}

/** A whole scan of a market, read just now unless the facts say otherwise. */
export async function aHolderScan(
  db: Database,
  market: Market,
  held: readonly Held[],
  facts: Partial<typeof holderScans.$inferInsert> = {},
): Promise<void> {
  const now = new Date();
  await db.insert(holderScans).values({ marketId: market.id, requestedAt: now, fetchedAt: now, walletCount: held.length, ...facts });
  if (held.length > 0) await holdIn(db, market, held);
}

/** Holdings that a scan has found. */
export async function holdIn(db: Database, market: Market, held: readonly Held[]): Promise<void> {
  await db.insert(marketHolders).values(
    held.map(({ wallet, outcome = 0, shares, value }) => ({
      marketId: market.id,
      traderId: wallet.id,
      outcomeIndex: outcome,
      sharesMicro: BigInt(Math.round(shares * 1e6)),
      valueMicro: value === null ? null : BigInt(Math.round(value * 1e6)),
    })),
  );
}
