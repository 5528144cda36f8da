import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../../src/db/client.ts";
import { applyMarkets } from "../../../src/ingest/apply-markets.ts";
import { applyResolutions } from "../../../src/ingest/apply-resolutions.ts";
import { applyTradePage } from "../../../src/ingest/apply-trade-page.ts";
import { KnownIds } from "../../../src/ingest/known-ids.ts";
import { NEW_FEED } from "../../../src/ingest/trade-walk.ts";
import type { ProviderMarket, ProviderResolution, ProviderTrade, TradeFeed } from "../../../src/ports/provider.ts";

const LARGE_TRADE_MIN_USD = 5_000;
const MARKETS_AT_ONCE = 50;

/** Applies pages as one process of the product does, without a provider to read them from. */
export class LedgerWriter {
  readonly #pool: Pool;
  readonly #known = new KnownIds();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async trades(feed: TradeFeed, rows: readonly ProviderTrade[]): Promise<void> {
    const page = { rows, nextCursor: null, misfits: [] };
    const settings = { known: this.#known, largeTradeMinUsd: LARGE_TRADE_MIN_USD };
    await this.#known.keepAfter(() =>
      inTransaction(this.#pool, (session) => applyTradePage(session, feed, page, null, () => NEW_FEED, settings)),
    );
  }

  async markets(markets: readonly ProviderMarket[]): Promise<void> {
    for (let start = 0; start < markets.length; start += MARKETS_AT_ONCE) {
      const rows = markets.slice(start, start + MARKETS_AT_ONCE);
      await inTransaction(this.#pool, (session) => applyMarkets(session, rows, [], new Date()));
    }
  }

  async resolutions(resolutions: readonly ProviderResolution[]): Promise<void> {
    for (let start = 0; start < resolutions.length; start += MARKETS_AT_ONCE) {
      const rows = resolutions.slice(start, start + MARKETS_AT_ONCE);
      const asked = rows.map(({ conditionId }) => conditionId);
      await inTransaction(this.#pool, (session) => applyResolutions(session, asked, rows, [], new Date()));
    }
  }
}
