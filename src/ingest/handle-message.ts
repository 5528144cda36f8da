import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../db/client.ts";
import type { IngestMessage } from "../messages/ingest.ts";
import type { Provider } from "../ports/provider.ts";
import { applyMarkets } from "./apply-markets.ts";
import { scanHolders } from "./holders/scan-holders.ts";
import type { KnownIds } from "./known-ids.ts";
import { profileWallets } from "./profiles/profile-wallets.ts";
import { rankProfiles } from "./profiles/rank-profiles.ts";
import { measureWallets } from "./provider-figures/measure-wallets.ts";
import { refreshBooks } from "./refresh-books.ts";
import { gradeDueWallets } from "./skill/grade-wallets.ts";
import { scoreMarket } from "./skill/score-market.ts";
import { isSyncDue, syncWallet } from "./sync-wallet.ts";
import { doLeasedWork } from "./work-leases.ts";

export interface MessageSettings {
  readonly pool: Pool;
  readonly provider: Provider;
  readonly known: KnownIds;
  readonly now: () => Date;
}

/**
 * Does the work of one queue message, as far as it is not done or under way elsewhere: reads from the provider and applies what it answered in
 * one transaction a page, or computes what is due.
 */
export async function handleMessage(message: IngestMessage, settings: MessageSettings): Promise<void> {
  await doLeasedWork(settings.pool, message, (claimed) => doWork(claimed, settings));
}

async function doWork(message: IngestMessage, { pool, provider, known, now }: MessageSettings): Promise<void> {
  switch (message.kind) {
    case "sync_wallet": {
      if (await isSyncDue(pool, message.address)) await syncWallet(pool, provider, message.address, known, now);
      return;
    }
    case "hydrate_markets": {
      const page = await provider.findMarkets(message.condition_ids);
      await inTransaction(pool, (session) => applyMarkets(session, page.rows, page.misfits, now()));
      return;
    }
    case "refresh_books": {
      await refreshBooks(pool, provider, message.token_ids, now);
      return;
    }
    case "score_markets": {
      for (const marketId of message.market_ids) await scoreMarket(pool, marketId);
      return;
    }
    case "grade_wallets": {
      await gradeDueWallets(pool);
      return;
    }
    case "profile_wallets": {
      await profileWallets(pool, message.trader_ids, now());
      return;
    }
    case "measure_wallets": {
      await measureWallets(pool, provider, message.trader_ids, now);
      return;
    }
    case "scan_holders": {
      for (const marketId of message.market_ids) await scanHolders(pool, provider, marketId, now);
      return;
    }
    case "rank_profiles": {
      await rankProfiles(pool, now());
      return;
    }
  }
}
