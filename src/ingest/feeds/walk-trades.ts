import type { Pool } from "@neondatabase/serverless";
import { inRepeatedTransaction, inTransaction, sessionOf } from "../../db/client.ts";
import { ProviderRefused, type Provider, type TradeFeed } from "../../platform/provider.ts";
import { applyTradePage, type ComputeFeedState } from "./apply-trade-page.ts";
import { FeedState, findCheckpoint, saveCheckpoint } from "./checkpoints.ts";
import type { OrdinalCarry } from "./row-ordinals.ts";
import type { RecentFills } from "./recent-fills.ts";
import type { RowIdCache } from "./row-id-cache.ts";
import type { PagePrefetcher } from "./page-prefetcher.ts";
import { pauseForHalfPage } from "./poll-pause.ts";
import { feedStateAfterPage, currentTradeWalk, NEW_FEED } from "./trade-walk-state.ts";

export interface TradeWalkSettings {
  readonly rowIds: RowIdCache;
  readonly recentFills: RecentFills;
  readonly prefetcher: PagePrefetcher;
  readonly largeTradeMinUsd: number;
  readonly backfillDays: number;
  readonly now: () => number;
  /** Makes the feed due within this time, where it would be due later. */
  readonly pollWithin: (ms: number) => void;
}

/**
 * Reads and applies the next page of a trade feed. The checkpoint is part of the page's transaction, so a
 * crash loses nothing. A walk that ends makes a busy feed due sooner than the configured interval.
 *
 * @returns whether the walk has more pages
 * @throws ProviderUnavailable when the provider does not respond; the stored state is unchanged
 */
export async function walkTrades(
  pool: Pool,
  provider: Provider,
  feed: TradeFeed,
  settings: TradeWalkSettings,
): Promise<boolean> {
  const name = `trades:${feed}`;
  const state = (await findCheckpoint(sessionOf(pool), name, FeedState)) ?? NEW_FEED;
  settings.recentFills.observeCheckpoint(feed, state);
  const now = settings.now();
  const walk = currentTradeWalk(state, now, settings.backfillDays);
  const page = await settings.prefetcher.take(provider, feed, walk.cursor, now).catch(async (error: unknown) => {
    // The provider no longer accepts the cursor: restart at the newest row. Rows that are already stored
    // change nothing.
    if (error instanceof ProviderRefused && walk.cursor !== null) {
      await inTransaction(pool, (session) => saveCheckpoint(session, name, { ...state, walk: null }));
    }
    throw error;
  });
  const times = page.rows.map((row) => row.tradedAt.getTime());
  const stateAfterPage = (carry: OrdinalCarry | null, added: number, oldestAddedMs: number | null) =>
    feedStateAfterPage(state, walk, { times, nextCursor: page.nextCursor, carry, added, oldestAddedMs, now });
  // A walk that continues without a new row continues with one, too, from the same cursor.
  const cursor = stateAfterPage(null, 0, null).walk?.cursor ?? null;
  if (cursor !== null) settings.prefetcher.prefetch(provider, feed, cursor, now);
  let after = state;
  const next: ComputeFeedState = (carry, added, oldestAddedMs) => (after = stateAfterPage(carry, added, oldestAddedMs));
  await settings.recentFills.rememberAfterCommit(feed, async () => {
    const { fills } = await settings.rowIds.cacheAfterCommit(() =>
      inRepeatedTransaction(pool, (session) => applyTradePage(session, feed, page, walk.carry, next, settings)),
    );
    return { fills, state: after };
  });
  if (after.walk !== null) return true;
  const pauseMs = pauseForHalfPage(times);
  if (pauseMs !== null) settings.pollWithin(pauseMs);
  return false;
}
