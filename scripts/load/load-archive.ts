import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Client } from "../services/postgres/session-over-tcp.ts";
import { openDuckDb, type DuckDb } from "./files/duckdb.ts";
import { columnsOf } from "./files/normalize-file.ts";
import { createStaging, stageFile, type ArchiveFile, type StagedFile } from "./files/stage-file.ts";
import { finishLoad, type FinishedLoad } from "./finish-load.ts";
import { foldFiles, type FoldSettings } from "./fold-files.ts";
import { LoadError } from "./load-error.ts";
import { closeLoad, listFiles, openLoad, readStaged } from "./load-state.ts";
import { priceOutcomes } from "./price-outcomes.ts";
import { isMarketsFile, readMarkets } from "./read-markets.ts";

/** The ledger lock is taken for a few seconds at a time, so that ingest can go on. */
export const FILLS_PER_TRANSACTION = 100_000;

export interface LoadSettings extends FoldSettings {
  readonly directory: string;
  readonly takers: boolean;
  readonly now: () => number;
  readonly onFile?: (name: string, file: StagedFile | "loaded before") => void;
}

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
  const directory = await mkdtemp(join(tmpdir(), "load-"));
  const duck = await openDuckDb(directory);
  try {
    await stageFiles(client, duck, directory, settings);
    const staged = await readStaged(client);
    if (staged.files === 0) return { files: 0, fills: 0, added: 0, newestMs: null, feeds: [] };
    await priceOutcomes(client, duck, directory);
    const added = await foldFiles(client, duck, staged, settings);
    const finished = await finishLoad(client, { takers: settings.takers, now: settings.now() });
    return { files: staged.files, fills: staged.fills, added, ...finished };
  } finally {
    duck.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function stageFiles(client: Client, duck: DuckDb, directory: string, settings: LoadSettings): Promise<void> {
  await createStaging(duck);
  const files: ArchiveFile[] = [];
  for (const path of await listPaths(settings.directory)) {
    const columns = await columnsOf(duck, path);
    if (isMarketsFile(columns)) await readMarkets(duck, path);
    else files.push({ path, name: relative(settings.directory, path), sha256: await hashFile(path), columns });
  }
  if (files.length === 0) throw new LoadError(`${settings.directory} has no .parquet or .csv file of fills.`);
  const known = await listFiles(client);
  for (const [sha256, { name, is_loaded: isLoaded }] of known) {
    if (!isLoaded && !files.some((file) => file.sha256 === sha256))
      throw new LoadError(
        `${name} is missing. An interrupted load has stored some of its fills, and needs it to continue.`,
      );
  }
  const read = new Set<string>();
  for (const file of files) {
    if (known.get(file.sha256)?.is_loaded === true || read.has(file.sha256)) {
      settings.onFile?.(file.name, "loaded before");
      continue;
    }
    const isKnown = known.has(file.sha256);
    const staged = await stageFile(client, duck, file, { directory, takers: settings.takers, isKnown });
    read.add(file.sha256);
    settings.onFile?.(file.name, staged);
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
