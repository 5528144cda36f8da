import type { Pool } from "@neondatabase/serverless";
import type { Session } from "../../db/client.ts";
import type { IngestMessage } from "../../messages/ingest-message.ts";
import type { Slots } from "../../lib/slots.ts";
import type { Provider } from "../../platform/provider.ts";
import { applyMarkets } from "../markets/apply-markets.ts";
import { isComboReadDue } from "../combos/due-combos.ts";
import { readCombos } from "../combos/read-combos.ts";
import { scanHolders } from "../holders/scan-holders.ts";
import type { RowIdCache } from "../feeds/row-id-cache.ts";
import type { ProfilePopulation } from "../profiles/compute-profile.ts";
import { profileTraders } from "../profiles/profile-traders.ts";
import { rankProfiles } from "../profiles/rank-profiles.ts";
import { measureTraders } from "../provider-figures/measure-traders.ts";
import { refreshBooks } from "../markets/refresh-books.ts";
import { gradeDueTraders } from "../skill/grade-traders.ts";
import { scoreMarket } from "../skill/score-market.ts";
import { parseDueSync, selectDueSync } from "../traders/read-sync-state.ts";
import { syncTrader } from "../traders/sync-trader.ts";
import { runLeasedWork, type ClaimedWork } from "./work-leases.ts";

export interface MessageSettings {
  readonly pool: Pool;
  readonly provider: Provider;
  readonly rowIds: RowIdCache;
  /** The measures of all profiles, which the messages of a batch may share. Each profile loads them when absent. */
  readonly loadPopulation?: (session: Session) => Promise<ProfilePopulation>;
  /** Shared by the messages of a batch: how many of them wait for the ledger at once. One when absent. */
  readonly ledgerSlots?: Slots;
  readonly now: () => Date;
}

/**
 * Does the work of one queue message, except what is done already or leased elsewhere. Reads from the
 * provider and applies the response in one transaction per page, or computes what is due.
 */
export async function handleMessage(message: IngestMessage, settings: MessageSettings): Promise<void> {
  const first = message.kind === "sync_trader" ? selectDueSync(message.address) : null;
  await runLeasedWork(settings.pool, message, (claimed) => doWork(claimed, settings), first);
}

async function doWork({ message, lease, rows }: ClaimedWork, settings: MessageSettings): Promise<void> {
  const { pool, provider, now } = settings;
  switch (message.kind) {
    case "sync_trader": {
      const sync = parseDueSync(rows);
      // A message may arrive long after another one has done its work.
      if (sync !== null) await syncTrader(pool, provider, sync, { ...settings, lease });
      return;
    }
    case "read_combos": {
      if (await isComboReadDue(pool, message.address)) await readCombos(pool, provider, message.address, now);
      return;
    }
    case "hydrate_markets": {
      const page = await provider.findMarkets(message.condition_ids);
      await applyMarkets(pool, page.rows, page.quarantined, now());
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
    case "grade_traders": {
      await gradeDueTraders(pool);
      return;
    }
    case "profile_traders": {
      await profileTraders(pool, message.trader_ids, now(), settings.loadPopulation);
      return;
    }
    case "measure_traders": {
      await measureTraders(pool, provider, message.trader_ids, now);
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
