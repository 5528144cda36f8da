import { sessionOverTcp, type Client } from "../services/postgres/session-over-tcp.ts";
import type { DuckDb } from "./files/duckdb.ts";
import { inLoadTransaction, lockLoadedTables } from "./load-state.ts";
import { insertRange, trackRange, type InsertedRange } from "./range/load-range.ts";
import { createIndexes, dropIndexes } from "./range/rebuild-indexes.ts";
import { stagedRanges, type StagedRange } from "./range/staged-ranges.ts";

export interface FoldSettings {
  readonly largeTradeMinUsd: number;
  /** Fills of one transaction, which holds the ledger lock. */
  readonly fillsPerTransaction: number;
  /** An empty database gets its indexes after the first fills if there are at least so many. */
  readonly rebuildIndexesFrom?: number;
  readonly onProgress?: (fills: number) => void;
}

/** Fewer fills are inserted sooner with the indexes in place. */
const REBUILD_INDEXES_FROM = 50_000;
/** Other sessions wait for the tables while they have no indexes: about 20 seconds. */
const MAX_FILLS_WITHOUT_INDEXES = 1_000_000;

/**
 * Puts the staged fills into the ledger and all figures, a range of traders after the other. Each transaction records how
 * far it has come.
 *
 * @returns how many fills were new
 */
export async function foldFiles(
  client: Client,
  duck: DuckDb,
  staged: { readonly files: number; readonly fills: number },
  settings: FoldSettings,
): Promise<number> {
  const { rows } = await client.query<{ after: string }>(`select folded_up_to::text as after from bulk_load.progress`);
  const nextRange = readAhead(stagedRanges(duck, rows[0]?.after ?? "-1", settings.fillsPerTransaction));
  let mayRebuild = staged.fills >= (settings.rebuildIndexesFrom ?? REBUILD_INDEXES_FROM);
  let added = 0;
  for (let range = await nextRange(); range !== null;) {
    const first = range;
    range = await inLoadTransaction(client, async () => {
      await client.query(`set local work_mem = '64MB'; set local synchronous_commit = off`);
      await lockLoadedTables(sessionOverTcp(client));
      const indexes = mayRebuild ? await dropIndexes(client) : null;
      mayRebuild = false;
      const limit = indexes === null ? 0 : MAX_FILLS_WITHOUT_INDEXES;
      const inserted: InsertedRange[] = [];
      let [current, upTo, fills]: [StagedRange | null, string, number] = [first, first.upTo, 0];
      do {
        const options = { ...settings, hasRepeats: staged.files > 1, isFirst: indexes !== null };
        const one = await insertRange(client, current, options);
        inserted.push(one);
        [upTo, fills] = [current.upTo, fills + one.added];
        current = await nextRange();
      } while (current !== null && fills < limit);
      if (indexes !== null) await createIndexes(client, indexes);
      for (const one of inserted) await trackRange(client, one, settings.largeTradeMinUsd);
      await client.query(
        `insert into bulk_load.progress (folded_up_to) values ($1)
         on conflict (only_row) do update set folded_up_to = excluded.folded_up_to`,
        [upTo],
      );
      added += fills;
      return current;
    });
    settings.onProgress?.(added);
  }
  return added;
}

/** DuckDB sorts and this process reads the next range while Postgres inserts one. */
function readAhead(ranges: AsyncGenerator<StagedRange>): () => Promise<StagedRange | null> {
  const read = async (): Promise<StagedRange | null> => {
    const { value, done } = await ranges.next();
    return done === true ? null : value;
  };
  let next = read();
  return async () => {
    const range = await next;
    next = range === null ? Promise.resolve(null) : read();
    // It is awaited in the next call, or never after an error.
    next.catch(() => undefined);
    return range;
  };
}
