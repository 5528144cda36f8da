import type { Pool } from "@neondatabase/serverless";
import { inRepeatedTransaction, inTransaction, sessionOf } from "../../db/client.ts";
import {
  ProviderRefused,
  type Provider,
  type ProviderPage,
  type ProviderTrade,
  type TradeFeed,
} from "../../platform/provider.ts";
import { applyTradePage, carryPastKnownPage, type ComputeFeedState } from "./apply-trade-page.ts";
import { checkpointOf, FeedState, findCheckpoint, saveCheckpoint } from "./checkpoints.ts";
import type { OrdinalCarry } from "./row-ordinals.ts";
import type { RecentFills } from "./recent-fills.ts";
import type { RowIdCache } from "./row-id-cache.ts";
import type { PagePrefetcher } from "./page-prefetcher.ts";
import { pauseForHalfPage } from "./poll-pause.ts";
import { feedStateAfterPage, currentTradeWalk, NEW_FEED, type TradeWalk } from "./trade-walk-state.ts";

export interface TradeWalkSettings {
  readonly rowIds: RowIdCache;
  readonly recentFills: RecentFills;
  readonly prefetcher: PagePrefetcher;
  readonly largeTradeMinUsd: number;
  readonly backfillDays: number;
  readonly now: () => number;
  /** Makes the feeds due within this time, where they would be due later. */
  readonly pollWithin: (ms: number) => void;
}

/** A run passes pages without news for this long at most, so that the other feed has its turn. */
const PASS_MS = 3_000;

/**
 * Reads and applies the next page of a trade feed that has news. The checkpoint is part of the page's transaction, so a
 * crash loses nothing. Pages before it whose rows are all recent fills are passed without a statement; after a crash they are
 * read again. A walk that ends makes a busy feed due sooner than the configured interval.
 *
 * @returns whether the walk has more pages
 * @throws ProviderUnavailable when the provider does not respond; the pages before are stored
 */
export async function walkTrades(
  pool: Pool,
  provider: Provider,
  feed: TradeFeed,
  settings: TradeWalkSettings,
): Promise<boolean> {
  const { recentFills, prefetcher } = settings;
  const stored = (await findCheckpoint(sessionOf(pool), checkpointOf(feed), FeedState)) ?? NEW_FEED;
  recentFills.observeCheckpoint(feed, stored);
  const startedAt = settings.now();
  for (let state = stored; ;) {
    const now = settings.now();
    const walk = currentTradeWalk(state, now, settings.backfillDays);
    const page = await prefetcher
      .take(provider, feed, walk.cursor, now)
      .catch((error: unknown) => saveBeforeFailure(pool, feed, { stored, state, walk }, error, recentFills));
    const times = page.rows.map((row) => row.tradedAt.getTime());
    const stateAfterPage = (carry: OrdinalCarry | null, added: number, oldestAddedMs: number | null) =>
      feedStateAfterPage(state, walk, { times, nextCursor: page.nextCursor, carry, added, oldestAddedMs, now });
    const passed = carryPastKnownPage(feed, page, walk.carry, settings);
    const stateAfterPassed = passed === null ? null : stateAfterPage(passed.carry, 0, null);
    if (stateAfterPassed !== null && stateAfterPassed.walk !== null && now - startedAt < PASS_MS) {
      state = stateAfterPassed;
      continue;
    }
    const after = await savePage(pool, provider, feed, { page, carry: walk.carry, stateAfterPage }, settings);
    if (after.walk !== null) return true;
    const pauseMs = pauseForHalfPage(times);
    if (pauseMs !== null) settings.pollWithin(pauseMs);
    return false;
  }
}

/** The state that is stored, that of the run, and the walk whose next page was not read. */
interface UnreadPage {
  readonly stored: FeedState;
  readonly state: FeedState;
  readonly walk: TradeWalk;
}

/**
 * Stores the pages that this run has passed, so that a provider that fails often does not hold up the walk.
 *
 * @throws the failure
 */
async function saveBeforeFailure(
  pool: Pool,
  feed: TradeFeed,
  { stored, state, walk }: UnreadPage,
  failure: unknown,
  recentFills: RecentFills,
): Promise<never> {
  // The provider no longer accepts the cursor: restart at the newest row. Rows that are already stored change
  // nothing.
  const isRefused = failure instanceof ProviderRefused && walk.cursor !== null;
  const after = isRefused ? { ...state, walk: null } : state;
  if (after !== stored)
    await recentFills.rememberAfterCommit(feed, async () => {
      await inTransaction(pool, (session) => saveCheckpoint(session, checkpointOf(feed), after));
      return { fills: [], state: after };
    });
  throw failure;
}

interface PageToSave {
  readonly page: ProviderPage<ProviderTrade>;
  readonly carry: OrdinalCarry | null;
  readonly stateAfterPage: ComputeFeedState;
}

/**
 * Applies a page. The next one is requested when the writes are sent, and again if the transaction is repeated: rows that were
 * read earlier would wait for the ledger lock too.
 *
 * @returns the state that is stored with the page
 */
async function savePage(
  pool: Pool,
  provider: Provider,
  feed: TradeFeed,
  { page, carry, stateAfterPage }: PageToSave,
  settings: TradeWalkSettings,
): Promise<FeedState> {
  let after: FeedState | null = null;
  const next: ComputeFeedState = (...changes) => {
    after = stateAfterPage(...changes);
    const cursor = after.walk?.cursor ?? null;
    if (cursor !== null) settings.prefetcher.prefetch(provider, feed, cursor, settings.now());
    return after;
  };
  return settings.recentFills.rememberAfterCommit(feed, async () => {
    const { fills } = await settings.rowIds.cacheAfterCommit(() =>
      inRepeatedTransaction(pool, (session) => applyTradePage(session, feed, page, carry, next, settings)),
    );
    if (after === null) throw new Error("the page was applied without a checkpoint");
    return { fills, state: after };
  });
}
