import type { Session } from "../../db/client.ts";
import { BoughtSums } from "./bought-outcomes.ts";
import type { TraderHistory } from "./compute-profile.ts";
import { loadTraderDays } from "./load-trader-days.ts";
import { readTraderPositions } from "./load-trader-positions.ts";
import { MarketSums } from "./trader-markets.ts";

/**
 * Loads the histories of traders in ordinary markets, by trader id. The caller's transaction must be
 * REPEATABLE READ, so that all parts are of one moment.
 *
 * @param partSize positions in memory at once; the rest are only in sums by market and by event
 */
export async function loadHistories(
  session: Session,
  traderIds: readonly number[],
  asOf: string,
  partSize?: number,
): Promise<Map<number, TraderHistory>> {
  const days = await loadTraderDays(session, traderIds);
  const sums = new Map(traderIds.map((id) => [id, { markets: new MarketSums(), bought: new BoughtSums() }]));
  for await (const part of readTraderPositions(session, traderIds, asOf, partSize)) {
    for (const position of part) {
      const own = sums.get(position.traderId);
      own?.markets.add(position);
      own?.bought.add(position);
    }
  }
  return new Map(
    [...sums].map(([id, { markets, bought }]) => {
      const own = days.get(id) ?? [];
      return [
        id,
        {
          days: own,
          markets: markets.take(),
          bought: bought.byCategory(),
          fills: own.reduce((sum, { fills }) => sum + fills, 0),
          activeDays: own.filter(({ fills }) => fills > 0).length,
        },
      ];
    }),
  );
}
