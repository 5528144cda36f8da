import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../db/client.ts";
import { ProviderRefused, type Provider, type TradeFeed } from "../ports/provider.ts";
import { applyTradePage } from "./apply-trade-page.ts";
import { FeedState, findCheckpoint, saveCheckpoint } from "./checkpoints.ts";
import type { Carry } from "./identity.ts";
import type { KnownIds } from "./known-ids.ts";
import type { PagesAhead } from "./pages-ahead.ts";
import { afterPage, currentWalk, NEW_FEED } from "./trade-walk.ts";

export interface WalkSettings {
  readonly known: KnownIds;
  readonly ahead: PagesAhead;
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
  const state = (await findCheckpoint(pool, name, FeedState)) ?? NEW_FEED;
  const now = settings.now();
  const { walk, deep } = currentWalk(state, now, settings.backfillDays);
  const page = await settings.ahead.take(provider, feed, walk.cursor, now).catch(async (error: unknown) => {
    // The provider no longer takes the cursor: start over from the newest row. What is stored already changes nothing.
    if (error instanceof ProviderRefused && walk.cursor !== null) {
      await inTransaction(pool, (session) => saveCheckpoint(session, name, { ...state, walk: null }));
    }
    throw error;
  });
  const times = page.rows.map((row) => row.tradedAt.getTime());
  const following = (carry: Carry | null, added: number) =>
    afterPage(state, walk, { times, nextCursor: page.nextCursor, carry, added, deep, now });
  // Whether the walk goes on, and where, does not depend on what the page adds.
  const cursor = following(null, 0).walk?.cursor ?? null;
  if (cursor !== null) settings.ahead.begin(provider, feed, cursor, now);
  let after = state;
  const next = (carry: Carry | null, added: number) => (after = following(carry, added));
  await settings.known.keepAfter(() => inTransaction(pool, (session) => applyTradePage(session, feed, page, walk.carry, next, settings)));
  return after.walk !== null;
}
