import type { ProviderPage, Provider, ProviderTrade, TradeFeed } from "../../platform/provider.ts";

/** A page fetched longer ago is read again, because it may lack rows that the feed shows late. */
const MAX_AGE_MS = 10_000;

/**
 * Prefetches trade-feed pages while the previous page is written, at most one page per feed. A prefetched
 * page may be lost at any time.
 */
export class PagePrefetcher {
  readonly #pages = new Map<
    TradeFeed,
    { cursor: string; requestedAt: number; page: Promise<ProviderPage<ProviderTrade>> }
  >();

  /** Starts to read the page that `take` will return next. */
  prefetch(provider: Provider, feed: TradeFeed, cursor: string, now: number): void {
    const page = provider.listTrades(feed, cursor);
    // Prevents an unhandled rejection when the prefetched page is never used.
    page.catch(() => undefined);
    this.#pages.set(feed, { cursor, requestedAt: now, page });
  }

  /** The page at a cursor: the prefetched one, or else a new read. A prefetched page is returned once. */
  take(provider: Provider, feed: TradeFeed, cursor: string | null, now: number): Promise<ProviderPage<ProviderTrade>> {
    const prefetched = this.#pages.get(feed);
    this.#pages.delete(feed);
    return prefetched !== undefined && prefetched.cursor === cursor && now - prefetched.requestedAt < MAX_AGE_MS
      ? prefetched.page
      : provider.listTrades(feed, cursor);
  }
}
