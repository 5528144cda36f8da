import { sql } from "drizzle-orm";
import { z } from "zod";
import { e } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { selectUnknownCombinations } from "../../db/fragments/completeness.ts";
import { array, integer, selectRows } from "../../db/sql.ts";
import type { TraderHistory } from "./compute-profile.ts";
import { loadBoughtOutcomes } from "./load-bought-outcomes.ts";
import { loadTraderDays } from "./load-trader-days.ts";
import { loadTraderMarkets } from "./load-trader-markets.ts";

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
  const markets = await loadTraderMarkets(session, traderIds, asOf);
  const bought = await loadBoughtOutcomes(session, traderIds);
  const rows = await selectRows(
    session,
    sql`select ${e.traderId}, count(*) as fills,
       count(distinct (${e.tradedAt} at time zone 'UTC')::date) as active_days
     from ${e} where ${e.traderId} = any(${array(traderIds, "bigint")}) and ${e.kind} in ('buy', 'sell')
       and ${e.marketId} not in (${selectUnknownCombinations(traderIds)})
     group by ${e.traderId}`,
    z.object({ trader_id: integer, fills: integer, active_days: integer }),
  );
  const activity = new Map(rows.map((row) => [row.trader_id, { fills: row.fills, activeDays: row.active_days }]));
  return new Map(
    traderIds.map((id) => [
      id,
      {
        days: days.get(id) ?? [],
        markets: markets.get(id) ?? [],
        bought: bought.get(id) ?? new Map(),
        ...(activity.get(id) ?? { fills: 0, activeDays: 0 }),
      },
    ]),
  );
}
