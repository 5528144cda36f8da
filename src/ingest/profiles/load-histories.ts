import type { Session } from "../../db/client.ts";
import type { TraderHistory } from "./compute-profile.ts";
import { groupBought } from "./bought-outcomes.ts";
import { loadTraderDays } from "./load-trader-days.ts";
import { loadTraderPositions } from "./load-trader-positions.ts";
import { sumMarkets } from "./trader-markets.ts";

/**
 * Loads the histories of traders in ordinary markets, by trader id. The caller's transaction must be
 * REPEATABLE READ, so that all parts are of one moment.
 */
export async function loadHistories(
  session: Session,
  traderIds: readonly number[],
  asOf: string,
): Promise<Map<number, TraderHistory>> {
  const days = await loadTraderDays(session, traderIds);
  const positions = await loadTraderPositions(session, traderIds, asOf);
  return new Map(
    traderIds.map((id) => {
      const own = days.get(id) ?? [];
      const held = positions.get(id) ?? [];
      return [
        id,
        {
          days: own,
          markets: sumMarkets(held),
          bought: groupBought(held),
          fills: own.reduce((sum, { fills }) => sum + fills, 0),
          activeDays: own.filter(({ fills }) => fills > 0).length,
        },
      ];
    }),
  );
}
