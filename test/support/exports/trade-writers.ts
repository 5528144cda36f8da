import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "@neondatabase/serverless";
import type { Random } from "../../../scripts/provider/simulate/random.ts";
import { inTransaction, type Database } from "../../../src/db/client.ts";
import { aLargeTrade, publishLargeTrades } from "../seed/large-trades.ts";
import type { SeededMarket } from "../seed/markets.ts";
import type { SeededTrader } from "../seed/traders/traders.ts";

class RolledBack extends Error {}

/**
 * Records large trades with their events, each transaction with pauses before, between and after its trades, so
 * that transactions of several writers commit in another order than that of their ids. Some are rolled back.
 */
export async function writeTrades(
  pool: Pool,
  random: Random,
  {
    markets,
    trader,
    days,
    isOver,
  }: { markets: readonly SeededMarket[]; trader: SeededTrader; days: readonly [number, number]; isOver: () => boolean },
): Promise<void> {
  while (!isOver())
    await inTransaction(pool, async (session) => {
      // The builders only insert, which both transports do alike.
      const db = session as unknown as Database;
      await sleep(random.integer(0, 40));
      for (let left = random.integer(1, 3); left > 0; left -= 1) {
        const id = await aLargeTrade(db, {
          ...{ market: random.pick(markets), trader, price: `0.${random.integer(10, 99)}` },
          tradedAt: new Date(random.integer(...days)),
          sizeUsdMicro: BigInt(random.integer(5_000_000_000, 50_000_000_000)),
        });
        await publishLargeTrades(db, id);
        await sleep(random.integer(0, 60));
      }
      if (random.chance(0.15)) throw new RolledBack();
    }).catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
}
