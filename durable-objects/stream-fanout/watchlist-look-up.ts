import { parseConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/db/client.ts";
import { findWatchlistMatches } from "../../src/db/find-watchlist-matches.ts";
import type { WatchlistMatches, WatchlistRef } from "../../src/domain/watchlists/watchlist-matches.ts";
import type { Env } from "../../src/env.ts";
import { withTimeout } from "../../src/lib/timing/with-timeout.ts";
import type { StreamFrame } from "../../src/stream/frame.ts";
import type { Subscription } from "../../src/stream/stream-messages.ts";

/** Much shorter than the timeout of a push, which all listeners of the shard wait for. */
const TIMEOUT_MS = 2_000;

/** The watchlists of subscriptions, each once. */
export function watchlistsOf(subscriptions: Iterable<Pick<Subscription, "accountId" | "filter">>): WatchlistRef[] {
  const refs = new Map<number, WatchlistRef>();
  for (const { accountId, filter } of subscriptions)
    if (filter.watchlist !== undefined) refs.set(filter.watchlist, { accountId, id: filter.watchlist });
  return [...refs.values()];
}

/** The wallets of frames, each once. */
export const walletsOf = (frames: readonly StreamFrame[]): string[] => [
  ...new Set(frames.flatMap(({ facets }) => facets?.wallet ?? [])),
];

/**
 * Which of the frames' wallets are in which of the watchlists now. A list that does not exist has no entry. The lists
 * themselves are not kept in memory: a shard hibernates between pushes, and could not hold the lists of all its
 * listeners.
 */
export function lookUpWatchlists(
  env: Env,
  refs: readonly WatchlistRef[],
  frames: readonly StreamFrame[],
): Promise<WatchlistMatches> {
  const db = openDatabase(parseConfig(env), TIMEOUT_MS);
  return withTimeout(findWatchlistMatches(db, refs, walletsOf(frames)), TIMEOUT_MS);
}
