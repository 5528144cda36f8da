import type { Page, Provider, ProviderTrade, TradeFeed } from "../ports/provider.ts";

/** An older page may lack rows that the feed shows late: it is read again. */
const FRESH_MS = 10_000;

/** Pages of trade feeds that are read while the page before is applied: the next of each walk, at most. They may be lost at any time. */
export class PagesAhead {
  readonly #pages = new Map<TradeFeed, { cursor: string; askedAt: number; page: Promise<Page<ProviderTrade>> }>();

  /** Begins to read a page that `take` will be asked for. */
  begin(provider: Provider, feed: TradeFeed, cursor: string, now: number): void {
    const page = provider.listTrades(feed, cursor);
    // Its failure is the failure of whoever takes it, and of nobody when nobody does.
    page.catch(() => undefined);
    this.#pages.set(feed, { cursor, askedAt: now, page });
  }

  /** The page at a cursor: the one begun before, or else read now. A page is given once. */
  take(provider: Provider, feed: TradeFeed, cursor: string | null, now: number): Promise<Page<ProviderTrade>> {
    const ahead = this.#pages.get(feed);
    this.#pages.delete(feed);
    return ahead !== undefined && ahead.cursor === cursor && now - ahead.askedAt < FRESH_MS
      ? ahead.page
      : provider.listTrades(feed, cursor);
  }
}
