import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../db/client.ts";
import type { IngestMessage } from "../messages/ingest.ts";
import type { Provider } from "../ports/provider.ts";
import { applyBooks } from "./apply-books.ts";
import { applyMarkets } from "./apply-markets.ts";
import { applyResolutions } from "./apply-resolutions.ts";
import type { KnownIds } from "./known-ids.ts";
import { syncWallet } from "./sync-wallet.ts";

export interface MessageSettings {
  readonly pool: Pool;
  readonly provider: Provider;
  readonly known: KnownIds;
  readonly now: () => Date;
}

/** Does the work of one queue message: reads from the provider, then applies what it answered in one transaction a page. */
export async function handleMessage(message: IngestMessage, { pool, provider, known, now }: MessageSettings): Promise<void> {
  switch (message.kind) {
    case "sync_wallet": {
      await syncWallet(pool, provider, message.address, known, now);
      return;
    }
    case "hydrate_markets": {
      const page = await provider.findMarkets(message.condition_ids);
      await inTransaction(pool, (session) => applyMarkets(session, page.rows, page.misfits, now()));
      return;
    }
    case "check_resolutions": {
      const page = await provider.findResolutions(message.condition_ids);
      await inTransaction(pool, (session) => applyResolutions(session, message.condition_ids, page.rows, page.misfits));
      return;
    }
    case "refresh_books": {
      const page = await provider.findBooks(message.token_ids);
      await inTransaction(pool, (session) => applyBooks(session, page.rows, page.misfits));
      return;
    }
  }
}
