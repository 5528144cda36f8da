import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../db/client.ts";
import {
  BackfillState,
  checkpointOf,
  FeedState,
  findCheckpoint,
  MarketWalkState,
  saveCheckpoint,
} from "../ingest/feeds/checkpoints.ts";
import { countUnfinished } from "../ingest/queue/list-due-work.ts";

export type BackfillPhase = "trades" | "traders" | "figures" | "done";

/**
 * Stores the progress of the backfill (the first fill of an empty database) and returns its phase. `trades`:
 * feeds and markets are walked for the first time. `traders`: the activity of tracked traders, market details
 * and payouts are read and settled bets are scored. `figures`: the lists are built from all data. `done`:
 * finished.
 *
 * @param figuresBuilt whether the lists have been rebuilt since the earlier phases finished
 */
export async function recordBackfillProgress(pool: Pool, figuresBuilt: boolean): Promise<BackfillPhase> {
  const unfinished = await countUnfinished(pool);
  return inTransaction(pool, async (session) => {
    const takers = await findCheckpoint(session, checkpointOf("takers"), FeedState);
    const all = await findCheckpoint(session, checkpointOf("all"), FeedState);
    const markets = await findCheckpoint(session, "markets", MarketWalkState);
    const isWalked = takers?.watermarkMs != null && all?.watermarkMs != null && (markets?.walks ?? 0) > 0;
    const isDrained =
      unfinished.traders === 0 &&
      unfinished.combos === 0 &&
      unfinished.markets === 0 &&
      unfinished.resolutions === 0 &&
      unfinished.bets === 0;
    const phase: BackfillPhase = !isWalked ? "trades" : !isDrained ? "traders" : !figuresBuilt ? "figures" : "done";
    await saveCheckpoint(session, "backfill", {
      phase,
      stored: (takers?.stored ?? 0) + (all?.stored ?? 0),
      expected: null,
      done: phase === "done",
    });
    return phase;
  });
}

export async function isBackfilled(pool: Pool): Promise<boolean> {
  return inTransaction(
    pool,
    async (session) => (await findCheckpoint(session, "backfill", BackfillState))?.done ?? false,
  );
}
