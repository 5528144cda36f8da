import type { Database } from "../../db/client.ts";
import { findWatchlistMatches } from "../../db/find-watchlist-matches.ts";
import { parseId } from "../../domain/ids.ts";
import { NO_MATCHES, type WatchlistMatches } from "../../domain/watchlists/watchlist-matches.ts";
import type { StoredEvent } from "../../events/outbox/outbox-reader.ts";
import type { Subscriber } from "../rules/match-endpoints.ts";

/**
 * Which wallets of the events are in which watchlists of the endpoints, by one look-up for all of them. None is made
 * without an endpoint that filters by a list, or without a large trade.
 */
export async function matchWatchlists(
  db: Database,
  subscribers: readonly Subscriber[],
  events: readonly StoredEvent[],
): Promise<WatchlistMatches> {
  const refs = subscribers.flatMap(({ accountId, filters }) => {
    const id = filters.watchlist === undefined ? null : parseId("watchlist", filters.watchlist);
    return id === null ? [] : [{ accountId, id }];
  });
  const wallets = new Set(events.flatMap(walletOf));
  return refs.length === 0 || wallets.size === 0 ? NO_MATCHES : findWatchlistMatches(db, refs, [...wallets]);
}

function walletOf({ type, payload }: StoredEvent): string[] {
  const wallet = type === "large_trade_inserted_v2" ? payload["wallet"] : undefined;
  return typeof wallet === "string" ? [wallet.toLowerCase()] : [];
}
