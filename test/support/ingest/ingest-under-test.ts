import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../../src/db/client.ts";
import { applyActivityPage } from "../../../src/ingest/traders/apply-activity-page.ts";
import { applyTradePage } from "../../../src/ingest/feeds/apply-trade-page.ts";
import { RowIdCache } from "../../../src/ingest/feeds/row-id-cache.ts";
import { NEW_FEED } from "../../../src/ingest/feeds/trade-walk-state.ts";
import type { OrdinalCarry } from "../../../src/ingest/feeds/row-ordinals.ts";
import type { ProviderPage, ProviderActivity, ProviderTrade, TradeFeed } from "../../../src/platform/provider.ts";
import { emptyIngest } from "./empty-ingest.ts";
import { readStoredState, type StoredState } from "./stored-state.ts";

export const LARGE_TRADE_MIN_USD = 5_000;

export interface IngestUnderTest {
  /** Applies one page as a feed's walk does. @returns the carry for the walk's next page */
  apply(feed: TradeFeed, page: ProviderPage<ProviderTrade>, carry?: OrdinalCarry | null): Promise<OrdinalCarry | null>;
  /** Applies one page of a trader's activity. */
  applyActivity(address: string, page: ProviderPage<ProviderActivity>): Promise<void>;
  state(): Promise<StoredState>;
}

/** Ingest as one process runs it, over a database that is emptied first. */
export async function openIngest(pool: Pool): Promise<IngestUnderTest> {
  await emptyIngest(pool);
  return joinIngest(pool);
}

/** Another process over the data that is already stored. */
export function joinIngest(pool: Pool): IngestUnderTest {
  const rowIds = new RowIdCache();
  return {
    state: () => readStoredState(pool),
    async applyActivity(address, page) {
      await rowIds.cacheAfterCommit(() =>
        inTransaction(pool, (session) => applyActivityPage(session, address, page, null, rowIds)),
      );
    },
    async apply(feed, page, carry = null) {
      let carried: OrdinalCarry | null = null;
      const after = (next: OrdinalCarry | null, added: number) => {
        carried = next;
        return { ...NEW_FEED, stored: added };
      };
      const settings = { rowIds, largeTradeMinUsd: LARGE_TRADE_MIN_USD };
      await rowIds.cacheAfterCommit(() =>
        inTransaction(pool, (session) => applyTradePage(session, feed, page, carry, after, settings)),
      );
      return carried;
    },
  };
}
