/** A watchlist, with the account that it must belong to. */
export interface WatchlistRef {
  readonly accountId: number;
  readonly id: number;
}

/**
 * Of some watchlists, the addresses of some events that are in each. A list that does not exist has no entry, so
 * it matches nothing. Built by one look-up of the events' addresses, whatever the sizes of the lists.
 */
export type WatchlistMatches = ReadonlyMap<number, WatchlistMatch>;

export interface WatchlistMatch {
  /** The list's account. */
  readonly accountId: number;
  readonly wallets: ReadonlySet<string>;
}

export const NO_MATCHES: WatchlistMatches = new Map();

/** Whether a list exists. Another account's list counts as one that does not. */
export const isKnownList = (matches: WatchlistMatches, { accountId, id }: WatchlistRef): boolean =>
  matches.get(id)?.accountId === accountId;

/** @param wallet in lower case */
export const isWatched = (matches: WatchlistMatches, list: WatchlistRef, wallet: string): boolean =>
  isKnownList(matches, list) && matches.get(list.id)?.wallets.has(wallet) === true;
