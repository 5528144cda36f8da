import { sql } from "drizzle-orm";
import type { Database } from "../../../../src/db/client.ts";
import { largePositionEntries } from "../../../../src/db/schema.ts";
import { aGeneration } from "../lists.ts";
import type { SeededMarket } from "../markets.ts";
import { aPosition } from "./positions.ts";
import type { SeededTrader } from "./traders.ts";

interface Holders {
  readonly wallets: Readonly<Record<"known" | "nameless", SeededTrader>>;
  readonly markets: Readonly<Record<"full" | "bare", SeededMarket>>;
}

/**
 * Open positions and large positions: of both outcomes of a described market, and of a market of which only
 * the id is known.
 */
export async function somePositions(db: Database, { wallets, markets }: Holders): Promise<void> {
  // Only followed traders have timelines.
  await db.execute(sql`update traders set tier = 'warm'`);
  const facts = {
    sharesMicro: 250_000_000n,
    valueMicro: 137_500_000n,
    costMicro: 100_000_000n,
    realizedMicro: -1_000_000n,
    feesMicro: 250_000n,
  };
  await aPosition(db, { trader: wallets.known, market: markets.full, ...facts });
  await aPosition(db, { trader: wallets.known, market: markets.full, outcome: 1, ...facts, valueMicro: 112_500_000n });
  await aPosition(db, { trader: wallets.nameless, market: markets.bare, ...facts, valueMicro: 200_000_000n });
  const generation = await aGeneration(db, "large_positions", new Date(), 2);
  await aLargePosition(db, {
    generation,
    rank: 1,
    wallet: wallets.known,
    market: markets.full,
    prices: ["0.55", "0.45"],
  });
  await aLargePosition(db, {
    generation,
    rank: 2,
    wallet: wallets.nameless,
    market: markets.bare,
    prices: ["0.5", null],
  });
}

interface LargeFacts {
  readonly generation: number;
  readonly rank: number;
  readonly wallet: SeededTrader;
  readonly market: SeededMarket;
  /**
   * Price of the first and of the second outcome; null where there is none. Each position has 100,000 shares.
   */
  readonly prices: readonly [string, string | null];
}

async function aLargePosition(db: Database, { generation, rank, wallet, market, prices }: LargeFacts): Promise<void> {
  const at = new Date();
  const value = (price: string | null) => (price === null ? null : String(Math.round(Number(price) * 1e11)));
  const holdings = prices.map((price, index) => ({
    outcome_index: index,
    outcome_label: null,
    token_id: market.outcomes[index === 0 ? 0 : 1].tokenId,
    shares_micro: "100000000000",
    cost_micro: "40000000000",
    price,
    value_micro: value(price),
  }));
  const valueMicro = prices.reduce((sum, price) => sum + BigInt(value(price) ?? 0), 0n);
  await db.insert(largePositionEntries).values({
    ...{ generation, rank, traderId: wallet.id, marketId: market.id, grade: "A", valueMicro, holdings },
    ...{ firstSeenAt: at, lastSeenAt: at, updatedAt: at },
  });
}
