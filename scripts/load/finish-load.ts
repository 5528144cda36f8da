import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { TradeFeed } from "../../src/platform/provider.ts";
import { FeedState, findCheckpoint, saveCheckpoint } from "../../src/ingest/feeds/checkpoints.ts";
import { NEW_FEED } from "../../src/ingest/feeds/trade-walk-state.ts";
import { updateLastTrades } from "../../src/ingest/ledger/last-trades.ts";
import { lockLedger } from "../../src/ingest/ledger/record-ledger-entries.ts";
import { CANDLE_MIN_SHARES_MICRO } from "../../src/scoring/signals/parameters.ts";
import { sessionOverTcp, type Client } from "../services/postgres/session-over-tcp.ts";
import { literal, type DuckDb } from "./files/duckdb.ts";
import { TX_HEX } from "./files/stage-file.ts";
import { inLoadTransaction, readStaged } from "./load-state.ts";
import { copyFile } from "./range/copy-rows.ts";

export interface FinishedLoad {
  /** The newest fill of the loaded files, ms; null when they have none. */
  readonly newestMs: number | null;
  /** The feeds whose live walk continues from the newest fill. */
  readonly feeds: readonly TradeFeed[];
}

/**
 * Ends a load in one transaction: last trades, the watermarks of feeds that have not begun, and the end of the files.
 *
 * @param takers every row was the fill of a taker order: the feed of all trades stays at its beginning
 */
export async function finishLoad(
  client: Client,
  duck: DuckDb,
  directory: string,
  { takers, now }: { takers: boolean; now: number },
): Promise<FinishedLoad> {
  const { newest_ms: newestMs, has_roles: hasRoles } = await readStaged(client);
  const path = join(directory, "newest.csv");
  await writeNewest(duck, path);
  return inLoadTransaction(client, async () => {
    const session = sessionOverTcp(client);
    await lockLedger(session);
    await client.query(
      `create temp table newest (outcome_id bigint, kind text, shares_micro bigint, price numeric, tx_hash bytea,
         traded_ms bigint) on commit drop`,
    );
    await copyFile(client, "newest", path);
    await updateLastTrades(
      session,
      sql`select outcome_id, kind, shares_micro, price, tx_hash, to_timestamp(traded_ms / 1000.0) as traded_at from newest`,
    );
    const covered: readonly TradeFeed[] = takers ? ["takers"] : hasRoles ? ["all", "takers"] : ["all"];
    const feeds: TradeFeed[] = [];
    for (const feed of newestMs !== null && newestMs >= servedSince(now) ? covered : []) {
      const state = await findCheckpoint(session, `trades:${feed}`, FeedState);
      if (state !== null && (state.watermarkMs !== null || state.walk !== null)) continue;
      const watermarkMs = Math.min(newestMs ?? now, now);
      await saveCheckpoint(session, `trades:${feed}`, { ...NEW_FEED, stored: state?.stored ?? 0, watermarkMs });
      feeds.push(feed);
    }
    await client.query(`update bulk_load.files set loaded_at = now() where loaded_at is null`);
    await client.query(`delete from bulk_load.progress`);
    return { newestMs, feeds };
  });
}

/** Writes the fills that can be the last trade of their outcome: those of its newest instant. */
async function writeNewest(duck: DuckDb, path: string): Promise<void> {
  await duck.run(
    `copy (
       with newest as (
         select outcome_id, max(traded_ms) as traded_ms from staged
         where shares_micro >= ${CANDLE_MIN_SHARES_MICRO} group by outcome_id
       )
       select outcome_id, case when is_buy then 'buy' else 'sell' end, shares_micro,
         coalesce(price_text, rtrim(rtrim((price_units::decimal(11, 0) * 0.0000000001)::varchar, '0'), '.')), '\\x' || ${TX_HEX}, traded_ms
       from staged join newest using (outcome_id, traded_ms) where shares_micro >= ${CANDLE_MIN_SHARES_MICRO}
     ) to ${literal(path)} (format csv, header false)`,
  );
}

/** The provider's trade feeds serve this and the previous calendar month. A walk cannot reach further back. */
export function servedSince(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1);
}
