import type { Pool } from "@neondatabase/serverless";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { handleMessage } from "../../../../src/ingest/queue/handle-message.ts";
import type { ProviderPage, Provider, ProviderActivity, ProviderMarket } from "../../../../src/platform/provider.ts";
import { walletOf } from "../provider/provider-trades.ts";
import { aPagedProvider } from "../provider/paged-provider.ts";

/** Stores the trader that `aTrade` names by number as hot, with activity that has not been read yet. */
export async function followTrader(pool: Pool, wallet: number): Promise<void> {
  await pool.query(
    `with t as (insert into traders (address, tier) values ($1, 'hot') returning id) insert into trader_syncs (trader_id) select id from t`,
    [walletOf(wallet)],
  );
}

/** A provider that only returns the activity of one trader, in these pages, and these markets. */
export const anActivityProvider = (
  wallet: number,
  pages: readonly ProviderPage<ProviderActivity>[],
  markets: readonly ProviderMarket[] = [],
) => aPagedProvider({ takers: [], all: [], activity: { [walletOf(wallet)]: pages }, markets, resolutions: [] });

/** Processes one message to read the activity of a trader, who is due, in a process without cached ids. */
export async function syncFollowedTrader(pool: Pool, provider: Provider, wallet: number, at: Date): Promise<void> {
  await makeDue(pool, walletOf(wallet));
  await readActivity(pool, provider, wallet, at);
}

/** The same for a trader who may not be due. */
export const readActivity = (pool: Pool, provider: Provider, wallet: number, at: Date): Promise<void> =>
  handleMessage(
    { kind: "sync_trader", address: walletOf(wallet) },
    { pool, provider, rowIds: new RowIdCache(), now: () => at },
  );

/** The time of a test may be after the database's. */
export const makeDue = (pool: Pool, address: string): Promise<unknown> =>
  pool.query(`update trader_syncs set due_at = now() where trader_id = (select id from traders where address = $1)`, [
    address,
  ]);
