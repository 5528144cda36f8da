/**
 * Seconds after which a top of book is stale. The provider's market list can be five minutes old; books are
 * read more often.
 */
export const BOOK_STALE_AFTER_SECONDS = { gamma_market: 600, clob_book: 120 } as const;
