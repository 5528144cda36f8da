import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../db/client.ts";
import { FLOW_WINDOWS } from "../domain/flow-windows.ts";
import type { JobName } from "../domain/jobs.ts";
import type { IngestMessage } from "../messages/ingest.ts";
import { listBooksToRefresh, listDueWallets, takeUnhydratedMarkets, takeUnlistedMarkets } from "./due-work.ts";
import { takeDueHolderScans } from "./holders/due-scans.ts";
import type { KnownIds } from "./known-ids.ts";
import type { PagesAhead } from "./pages-ahead.ts";
import { pruneOutbox } from "./prune-outbox.ts";
import { handOutProfiles } from "./profiles/due-profiles.ts";
import { takeDueFigures } from "./provider-figures/due-figures.ts";
import { buildExplore } from "./read-models/explore/build-explore.ts";
import { buildLargePositions } from "./read-models/large-positions.ts";
import { buildLeaderboard } from "./read-models/leaderboard.ts";
import { buildTrending } from "./read-models/trending.ts";
import { checkResults, type ResultSettings } from "./results/check-results.ts";
import { listDueMarkets } from "./skill/due-markets.ts";
import { isGradingDue } from "./skill/grade-wallets.ts";
import { keepReports } from "./reports/keep-reports.ts";
import { refreshPopulation } from "./skill/refresh-population.ts";
import { buildFlows } from "./signals/build-flows.ts";
import { buildOutcomeDays } from "./signals/build-outcome-days.ts";
import { judgeTrades } from "./signals/judge-trades.ts";
import { valuePositions } from "./values/value-positions.ts";
import { walkMarkets } from "./walk-markets.ts";
import { walkTrades } from "./walk-trades.ts";
import { countRoom, leaseWork, returnLeases } from "./work-leases.ts";

export interface JobSettings extends ResultSettings {
  readonly known: KnownIds;
  readonly ahead: PagesAhead;
  readonly largeTradeMinUsd: number;
  readonly backfillDays: number;
}

/** Rows of the provider's boards; it ranks no more. */
const BOARD_ROWS = 50;

/**
 * Runs one job to its next stop: a page of a feed, a batch of due work, a rebuilt list.
 *
 * @returns whether more of the same waits
 */
export async function runJob(job: JobName, settings: JobSettings): Promise<boolean> {
  const { pool, provider } = settings;
  switch (job) {
    case "taker_feed":
      return walkTrades(pool, provider, "takers", settings);
    case "fill_feed":
      return walkTrades(pool, provider, "all", settings);
    case "market_walk": {
      const waits = await walkMarkets(pool, provider, settings.backfillDays === 0, () => new Date(settings.now()));
      if (!waits) await handOutIfRoom("hydrate_markets", takeUnlistedMarkets, settings);
      return waits;
    }
    case "market_hydration":
      return handOutIfRoom("hydrate_markets", takeUnhydratedMarkets, settings);
    case "wallet_sync":
      return handOutIfRoom("sync_wallet", listDueWallets, settings);
    case "resolutions":
      return checkResults(settings);
    case "books":
      await handOut(await listBooksToRefresh(pool), settings);
      return false;
    case "boards":
      for (const period of ["week", "month"] as const) {
        const board = await provider.listBoard(period, BOARD_ROWS);
        await inTransaction(pool, (session) => buildTrending(session, period, board));
      }
      return false;
    case "skill":
      await handOut(await listDueMarkets(pool), settings);
      return false;
    case "population":
      await inTransaction(pool, refreshPopulation);
      return false;
    case "grades":
      if (await isGradingDue(pool)) await handOut([{ kind: "grade_wallets" }], settings);
      return false;
    case "profiles":
      await handOut(await handOutProfiles(pool, new Date(settings.now())), settings);
      return false;
    case "leaderboard":
      await inTransaction(pool, buildLeaderboard);
      return false;
    case "explore":
      return (await inTransaction(pool, (session) => buildExplore(session))) === "more";
    case "suspicion":
      return judgeTrades(pool, settings.largeTradeMinUsd, new Date(settings.now()));
    case "candles":
      return buildOutcomeDays(pool);
    case "provider_figures":
      await handOutIfRoom("measure_wallets", (_, most) => takeDueFigures(pool, new Date(settings.now()), most), settings);
      return false;
    case "holders":
      return handOutIfRoom("scan_holders", takeDueHolderScans, settings);
    case "values":
      return valuePositions(pool);
    case "large_positions":
      await inTransaction(pool, buildLargePositions);
      return false;
    case "flows":
      for (const window of FLOW_WINDOWS) await inTransaction(pool, (session) => buildFlows(session, window));
      return false;
    case "outbox_pruning":
      return inTransaction(pool, (session) => pruneOutbox(session, new Date(settings.now())));
    case "reports":
      return keepReports(pool, () => new Date(settings.now()));
  }
}

type HandOut = Pick<JobSettings, "pool" | "enqueue">;

/** Hands out due work, no more than there is room for. @returns whether any was sent */
async function handOutIfRoom(
  kind: Parameters<typeof countRoom>[1],
  list: (pool: Pool, most: number) => Promise<IngestMessage[]>,
  settings: HandOut,
): Promise<boolean> {
  const room = await countRoom(settings.pool, kind);
  return room > 0 && handOut(await list(settings.pool, room), settings);
}

/** Sends what is not under way. @returns whether any was sent */
async function handOut(messages: readonly IngestMessage[], { pool, enqueue }: HandOut): Promise<boolean> {
  const leased = await leaseWork(pool, messages);
  if (leased.length === 0) return false;
  try {
    await enqueue(leased);
  } catch (error) {
    // What was sent before the failure finds its lease gone and does nothing; the next turn hands all of it out.
    await returnLeases(pool, leased).catch(() => undefined);
    throw error;
  }
  return true;
}
