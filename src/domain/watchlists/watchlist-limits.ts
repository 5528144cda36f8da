/** Maximum number of watchlists of an account. */
export const MAX_WATCHLISTS = 20;

/** Maximum number of addresses in a watchlist. */
export const MAX_WATCHLIST_WALLETS = 5_000;

/** Maximum number of addresses that a filter names itself. They travel with each stream's subscription. */
export const MAX_FILTER_WALLETS = 25;
