/** A watchlist, with the account that it must belong to. */
export interface WatchlistRef {
  readonly accountId: number;
  readonly id: number;
}

/**
 * Of some watchlists, the addresses of some events that are in each. A list that does not exist has no entry, so
 * it matches nothing. Built by one look-up of the events' addresses, whatever the sizes of the lists.
 */
export type WatchlistMatches = ReadonlyMap<number, ReadonlySet<string>>;

export const NO_MATCHES: WatchlistMatches = new Map();

/** @param wallet in lower case */
export const isWatched = (matches: WatchlistMatches, watchlist: number, wallet: string): boolean =>
  matches.get(watchlist)?.has(wallet) ?? false;
