import type { TradeFeed } from "../../src/platform/provider.ts";
import { checkpointOf, FeedState, findCheckpoint, saveCheckpoint } from "../../src/ingest/feeds/checkpoints.ts";
import { NEW_FEED } from "../../src/ingest/feeds/trade-walk-state.ts";
import { lockLedger } from "../../src/ingest/ledger/record-ledger-entries.ts";
import { sessionOverTcp, type Client } from "../services/postgres/session-over-tcp.ts";
import { inLoadTransaction, readStaged } from "./load-state.ts";

export interface FinishedLoad {
  /** The newest fill of the loaded files, ms; null when they have none. */
  readonly newestMs: number | null;
  /** The feeds whose live walk continues from the newest fill. */
  readonly feeds: readonly TradeFeed[];
}

/**
 * Ends a load in one transaction: the watermarks of feeds that have not begun, and the end of the files.
 *
 * @param takers every row was the fill of a taker order: the feed of all trades stays at its beginning
 */
export async function finishLoad(
  client: Client,
  { takers, now }: { takers: boolean; now: number },
): Promise<FinishedLoad> {
  const { newest_ms: newestMs, has_roles: hasRoles } = await readStaged(client);
  return inLoadTransaction(client, async () => {
    const session = sessionOverTcp(client);
    await lockLedger(session);
    const covered: readonly TradeFeed[] = takers ? ["takers"] : hasRoles ? ["all", "takers"] : ["all"];
    const feeds: TradeFeed[] = [];
    for (const feed of newestMs !== null && newestMs >= servedSince(now) ? covered : []) {
      const state = await findCheckpoint(session, checkpointOf(feed), FeedState);
      if (state !== null && (state.watermarkMs !== null || state.walk !== null)) continue;
      const watermarkMs = Math.min(newestMs ?? now, now);
      await saveCheckpoint(session, checkpointOf(feed), { ...NEW_FEED, stored: state?.stored ?? 0, watermarkMs });
      feeds.push(feed);
    }
    await client.query(`update bulk_load.files set loaded_at = now() where loaded_at is null`);
    await client.query(`delete from bulk_load.progress`);
    return { newestMs, feeds };
  });
}

/** The provider's trade feeds serve this and the previous calendar month. A walk cannot reach further back. */
export function servedSince(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1);
}
