import type { Pool } from "@neondatabase/serverless";
import { KnownIds } from "../../../src/ingest/known-ids.ts";
import { syncWallet } from "../../../src/ingest/sync-wallet.ts";
import type { Page, Provider, ProviderActivity, ProviderMarket } from "../../../src/ports/provider.ts";
import { walletOf } from "./trades.ts";
import { aWrittenProvider } from "./written-provider.ts";

/** Makes the wallet that `aTrade` names by number a hot one, whose activity has not been read yet. */
export async function follow(pool: Pool, wallet: number): Promise<void> {
  await pool.query(
    `with t as (insert into traders (address, tier) values ($1, 'hot') returning id) insert into wallet_syncs (trader_id) select id from t`,
    [walletOf(wallet)],
  );
}

/** A provider that tells nothing but the activity of one wallet, in these pages, and what it knows of markets. */
export const anActivityProvider = (wallet: number, pages: readonly Page<ProviderActivity>[], markets: readonly ProviderMarket[] = []) =>
  aWrittenProvider({ takers: [], all: [], activity: { [walletOf(wallet)]: pages }, markets, resolutions: [] });

/** What one message to read a wallet's activity does, in a process that knows no ids yet. */
export const sync = (pool: Pool, provider: Provider, wallet: number, at: Date) =>
  syncWallet(pool, provider, walletOf(wallet), new KnownIds(), () => at);
