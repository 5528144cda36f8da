import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { lockLedger } from "../../src/ingest/ledger/record-ledger-entries.ts";
import type { TraderRange } from "../recompute/read-traders.ts";
import { sessionOverTcp, type Client } from "../services/postgres/session-over-tcp.ts";
import { openDuckDb } from "./files/duckdb.ts";
import { finishLoad, type FinishedLoad } from "./finish-load.ts";
import { foldRange } from "./range/fold-range.ts";
import { LoadError } from "./load-error.ts";
import { closeLoad, inLoadTransaction, listFiles, openLoad, readStaged } from "./load-state.ts";
import { isMarketsFile, readMarkets } from "./read-markets.ts";
import { findNextRange, readEntries, readOutcomes, readReceipts } from "./range/read-range.ts";
import { listKnownTraders, listTrackingFills, removeRecorded, removeRepeats } from "./range/prepare-range.ts";
import { stageFile, type ArchiveFile, type StagedFile } from "./files/stage-file.ts";
import { trackRange, writeRange } from "./range/write-range.ts";

export interface LoadSettings {
  readonly directory: string;
  readonly largeTradeMinUsd: number;
  readonly takers: boolean;
  /** Fills of one transaction, which holds the ledger lock. */
  readonly fillsPerTransaction: number;
  readonly now: () => number;
  readonly onFile?: (name: string, file: StagedFile | "loaded before" | "staged before") => void;
  readonly onProgress?: (fills: number) => void;
}

/** What the load of staged fills needs. */
export type FoldSettings = Omit<LoadSettings, "directory" | "onFile">;

export interface LoadResult extends FinishedLoad {
  readonly files: number;
  /** Fills in the files, and those of them that were not recorded before. */
  readonly fills: number;
  readonly added: number;
}

/**
 * Loads an archive of fills into the ledger and all figures that follow from it. Continues a load that was interrupted;
 * an archive that is loaded again changes nothing.
 *
 * @throws LoadError
 */
export async function loadArchive(client: Client, settings: LoadSettings): Promise<LoadResult> {
  await openLoad(client);
  try {
    return await loadFiles(client, settings);
  } finally {
    // The lock of a broken session is gone.
    await closeLoad(client).catch(() => undefined);
  }
}

async function loadFiles(client: Client, settings: LoadSettings): Promise<LoadResult> {
  await stageFiles(client, settings);
  return loadStaged(client, settings);
}

/** Loads what is staged. The session has opened the load. */
export async function loadStaged(client: Client, settings: FoldSettings): Promise<LoadResult> {
  const staged = await readStaged(client);
  if (staged.files === 0) return { files: 0, fills: 0, added: 0, newestMs: null, feeds: [] };
  await client.query(`create index if not exists fills_trader on bulk_load.fills (trader_id)`);
  await client.query(`analyze bulk_load.fills`);
  const added = await foldFiles(client, staged.files, settings);
  const finished = await finishLoad(client, { takers: settings.takers, now: settings.now() });
  return { files: staged.files, fills: staged.fills, added, ...finished };
}

async function stageFiles(client: Client, settings: LoadSettings): Promise<void> {
  const before = await listFiles(client);
  const temporary = await mkdtemp(join(tmpdir(), "load-"));
  const duck = await openDuckDb(temporary);
  try {
    const paths = await listPaths(settings.directory);
    const fillPaths: string[] = [];
    for (const path of paths) {
      if (await isMarketsFile(duck, path)) await readMarkets(duck, path);
      else fillPaths.push(path);
    }
    if (fillPaths.length === 0) throw new LoadError(`${settings.directory} has no .parquet or .csv file of fills.`);
    for (const path of fillPaths) {
      const file: ArchiveFile = { path, name: relative(settings.directory, path), sha256: await hashFile(path) };
      const known = before.get(file.sha256);
      if (known !== undefined) {
        settings.onFile?.(file.name, known.is_loaded ? "loaded before" : "staged before");
        continue;
      }
      const staged = await stageFile(client, duck, file, { directory: temporary, takers: settings.takers });
      settings.onFile?.(file.name, staged);
    }
  } finally {
    duck.close();
    await rm(temporary, { recursive: true, force: true });
  }
}

async function listPaths(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch((cause: Error) => {
    throw new LoadError(`${directory} cannot be read (${cause.message}).`, { cause });
  });
  return entries
    .filter((entry) => entry.isFile() && /\.(parquet|csv|csv\.gz)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest("hex");
}

/** @returns how many fills were new */
async function foldFiles(client: Client, files: number, settings: FoldSettings): Promise<number> {
  const { rows } = await client.query<{ after: string }>(`select folded_up_to::text as after from bulk_load.progress`);
  let after = rows[0]?.after ?? "-1";
  let added = 0;
  for (;;) {
    const range = await findNextRange(client, after, settings.fillsPerTransaction);
    if (range === null) return added;
    added += await inLoadTransaction(client, () => loadRange(client, range, files, settings));
    settings.onProgress?.(added);
    after = range.upTo;
  }
}

/** Loads the staged fills of some traders. @returns how many fills were new */
async function loadRange(client: Client, range: TraderRange, files: number, settings: FoldSettings): Promise<number> {
  await client.query(`set local work_mem = '64MB'; set local synchronous_commit = off`);
  await lockLedger(sessionOverTcp(client));
  const tracking = await listTrackingFills(client, range, settings.largeTradeMinUsd);
  const known = await listKnownTraders(client, range);
  if (known.length > 0) await removeRecorded(client, range);
  if (files > 1) await removeRepeats(client, range);
  const outcomes = await readOutcomes(client, range, known);
  const receipts = await readReceipts(client, range);
  const traders = await readEntries(client, range, known);
  const folded = foldRange(traders, receipts, outcomes);
  const received = [...receipts.keys()].filter((traderId) => traders.has(traderId));
  await writeRange(client, range, folded, [...new Set([...known, ...received])]);
  const staged = [...traders.values()].map((entries) => entries.filter(({ isStaged }) => isStaged).length);
  const traderIds = [...traders.keys()].filter((_, index) => (staged[index] ?? 0) > 0).map(Number);
  await trackRange(client, tracking, { traderIds, settledMarkets: folded.settledMarkets }, settings.largeTradeMinUsd);
  await client.query(
    `insert into bulk_load.progress (folded_up_to) values ($1)
     on conflict (only_row) do update set folded_up_to = excluded.folded_up_to`,
    [range.upTo],
  );
  return staged.reduce((sum, count) => sum + count, 0);
}
