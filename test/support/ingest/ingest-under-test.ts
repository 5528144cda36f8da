import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../../src/db/client.ts";
import { applyActivityPage } from "../../../src/ingest/apply-activity-page.ts";
import { applyTradePage } from "../../../src/ingest/apply-trade-page.ts";
import { KnownIds } from "../../../src/ingest/known-ids.ts";
import { NEW_FEED } from "../../../src/ingest/trade-walk.ts";
import type { Carry } from "../../../src/ingest/identity.ts";
import type { Page, ProviderActivity, ProviderTrade, TradeFeed } from "../../../src/ports/provider.ts";
import { emptyIngest } from "./empty-ingest.ts";
import { readStoredState, type StoredState } from "./stored-state.ts";

export const LARGE_TRADE_MIN_USD = 5_000;

export interface IngestUnderTest {
  /** Applies one page as a feed's walk would. @returns what a walk carries to its next page */
  apply(feed: TradeFeed, page: Page<ProviderTrade>, carry?: Carry | null): Promise<Carry | null>;
  /** Applies one page of a wallet's activity. */
  applyActivity(address: string, page: Page<ProviderActivity>): Promise<void>;
  state(): Promise<StoredState>;
}

/** Ingest as one process runs it, over a database emptied for it. */
export async function openIngest(pool: Pool): Promise<IngestUnderTest> {
  await emptyIngest(pool);
  return joinIngest(pool);
}

/** Another process over what is stored already. */
export function joinIngest(pool: Pool): IngestUnderTest {
  const known = new KnownIds();
  return {
    state: () => readStoredState(pool),
    async applyActivity(address, page) {
      await known.keepAfter(() => inTransaction(pool, (session) => applyActivityPage(session, address, page, null, known)));
    },
    async apply(feed, page, carry = null) {
      let carried: Carry | null = null;
      const after = (next: Carry | null, added: number) => {
        carried = next;
        return { ...NEW_FEED, stored: added };
      };
      const settings = { known, largeTradeMinUsd: LARGE_TRADE_MIN_USD };
      await known.keepAfter(() => inTransaction(pool, (session) => applyTradePage(session, feed, page, carry, after, settings)));
      return carried;
    },
  };
}
