import type { Pool } from "@neondatabase/serverless";
import { inRepeatedTransaction, inTransaction } from "../../../src/db/client.ts";
import { applyMarkets } from "../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../src/ingest/markets/apply-resolutions.ts";
import { applyTradePage } from "../../../src/ingest/feeds/apply-trade-page.ts";
import { RowIdCache } from "../../../src/ingest/feeds/row-id-cache.ts";
import { NEW_FEED } from "../../../src/ingest/feeds/trade-walk-state.ts";
import { chunk } from "../../../src/lib/chunk.ts";
import type { ProviderMarket, ProviderResolution, ProviderTrade, TradeFeed } from "../../../src/platform/provider.ts";

const LARGE_TRADE_MIN_USD = 5_000;
const MARKETS_AT_ONCE = 50;

/** Applies pages like one process of the product, without a provider. */
export class LedgerWriter {
  readonly #pool: Pool;
  readonly #rowIds = new RowIdCache();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async writeTrades(feed: TradeFeed, rows: readonly ProviderTrade[]): Promise<void> {
    const page = { rows, nextCursor: null, quarantined: [] };
    const settings = { rowIds: this.#rowIds, largeTradeMinUsd: LARGE_TRADE_MIN_USD };
    await this.#rowIds.cacheAfterCommit(() =>
      inRepeatedTransaction(this.#pool, (session) =>
        applyTradePage(session, feed, page, null, () => NEW_FEED, settings),
      ),
    );
  }

  async writeMarkets(markets: readonly ProviderMarket[]): Promise<void> {
    for (const rows of chunk(markets, MARKETS_AT_ONCE)) {
      await applyMarkets(this.#pool, rows, [], new Date());
    }
  }

  async writeResolutions(resolutions: readonly ProviderResolution[]): Promise<void> {
    for (const rows of chunk(resolutions, MARKETS_AT_ONCE)) {
      const conditionIds = rows.map(({ conditionId }) => conditionId);
      await inTransaction(this.#pool, (session) => applyResolutions(session, conditionIds, rows, [], new Date()));
    }
  }
}
