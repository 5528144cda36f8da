import type { Session } from "../../db/client.ts";
import { combinationsOf } from "../../db/completeness.ts";
import type { WalletHistory } from "./compute-profile.ts";
import { loadBoughtOutcomes } from "./load-bought-outcomes.ts";
import { loadDays } from "./load-days.ts";
import { loadMarkets } from "./load-markets.ts";

/** The histories of wallets in ordinary markets, by trader id. The caller's transaction is REPEATABLE READ, so that its parts are of one moment. */
export async function loadHistories(session: Session, traderIds: readonly number[], asOf: string): Promise<Map<number, WalletHistory>> {
  const days = await loadDays(session, traderIds);
  const markets = await loadMarkets(session, traderIds, asOf);
  const bought = await loadBoughtOutcomes(session, traderIds);
  const { rows } = await session.query<{ trader_id: string; fills: string; active_days: string }>(
    `select trader_id, count(*) as fills, count(distinct (traded_at at time zone 'UTC')::date) as active_days
     from ledger_entries where trader_id = any($1::bigint[]) and kind in ('buy', 'sell') and market_id not in (${combinationsOf("$1")})
     group by trader_id`,
    [traderIds],
  );
  const activity = new Map(rows.map((row) => [Number(row.trader_id), { fills: Number(row.fills), activeDays: Number(row.active_days) }]));
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
