import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../db/client.ts";
import { BackfillState, FeedState, findCheckpoint, MarketWalkState, saveCheckpoint } from "./checkpoints.ts";
import { countUnfinished } from "./due-work.ts";

export type Phase = "trades" | "wallets" | "figures" | "done";

/**
 * How far the first fill of the database has come, stored for whoever shows it. `trades`: the feeds and markets are walked for the first
 * time; `wallets`: followed wallets, market details and payouts are read and settled bets counted; `figures`: the lists built from all that are due.
 *
 * @param figuresBuilt whether the lists have been rebuilt since everything before was finished
 */
export async function recordProgress(pool: Pool, figuresBuilt: boolean): Promise<Phase> {
  const unfinished = await countUnfinished(pool);
  return inTransaction(pool, async (session) => {
    const takers = await findCheckpoint(session, "trades:takers", FeedState);
    const all = await findCheckpoint(session, "trades:all", FeedState);
    const markets = await findCheckpoint(session, "markets", MarketWalkState);
    const walked = takers?.watermarkMs != null && all?.watermarkMs != null && (markets?.walks ?? 0) > 0;
    const drained = unfinished.wallets === 0 && unfinished.markets === 0 && unfinished.resolutions === 0 && unfinished.bets === 0;
    const phase: Phase = !walked ? "trades" : !drained ? "wallets" : !figuresBuilt ? "figures" : "done";
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
  return inTransaction(pool, async (session) => (await findCheckpoint(session, "backfill", BackfillState))?.done ?? false);
}
