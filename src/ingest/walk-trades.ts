import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../db/client.ts";
import { ProviderRefused, type Provider, type TradeFeed } from "../ports/provider.ts";
import { applyTradePage } from "./apply-trade-page.ts";
import { FeedState, findCheckpoint, saveCheckpoint } from "./checkpoints.ts";
import type { Carry } from "./identity.ts";
import type { KnownIds } from "./known-ids.ts";
import { afterPage, currentWalk, NEW_FEED } from "./trade-walk.ts";

export interface WalkSettings {
  readonly known: KnownIds;
  readonly largeTradeMinUsd: number;
  readonly backfillDays: number;
  readonly now: () => number;
}

/**
 * Reads and applies the next page of a trade feed.
 *
 * @returns whether the walk has more pages; a kill before the return loses nothing: the checkpoint is in the page's transaction
 * @throws ProviderUnavailable when the provider does not answer; the state stays as it was
 */
export async function walkTrades(pool: Pool, provider: Provider, feed: TradeFeed, settings: WalkSettings): Promise<boolean> {
  const name = `trades:${feed}`;
  const state = (await inTransaction(pool, (session) => findCheckpoint(session, name, FeedState))) ?? NEW_FEED;
  const now = settings.now();
  const { walk, deep } = currentWalk(state, now, settings.backfillDays);
  const page = await provider.listTrades(feed, walk.cursor).catch(async (error: unknown) => {
    // The provider no longer takes the cursor: start over from the newest row. What is stored already changes nothing.
    if (error instanceof ProviderRefused && walk.cursor !== null) {
      await inTransaction(pool, (session) => saveCheckpoint(session, name, { ...state, walk: null }));
    }
    throw error;
  });
  const times = page.rows.map((row) => row.tradedAt.getTime());
  let after = state;
  const next = (carry: Carry | null, added: number) =>
    (after = afterPage(state, walk, { times, nextCursor: page.nextCursor, carry, added, deep, now }));
  await settings.known.keepAfter(() => inTransaction(pool, (session) => applyTradePage(session, feed, page, walk.carry, next, settings)));
  return after.walk !== null;
}
