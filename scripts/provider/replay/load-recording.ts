import path from "node:path";
import { z } from "zod";
import { figureLoaders } from "./figure-loaders.ts";
import type { Loader } from "./loader.ts";
import { marketLoaders } from "./market-loaders.ts";
import { readRecordedFiles, type RecordedFile } from "./read-directory.ts";
import { Recording } from "./recording.ts";
import { tradeLoaders } from "./trade-loaders.ts";

const LOADERS: readonly Loader[] = [...tradeLoaders, ...marketLoaders, ...figureLoaders];

/** Reads a directory of recorded files: each is recognised by its content, never by its place. */
export async function loadRecording(dir: string): Promise<Recording> {
  const files = await readRecordedFiles(dir);
  const wallets = walletsByFolder(files);
  const recording = new Recording();
  const recognised = files.map((file) => ({ file, known: LOADERS.find((candidate) => candidate.fits(file)) ?? null }));
  for (const { file, known } of recognised) if (known === null && file.rows.length > 0) recording.unserved.push(file.name);
  for (const stage of [0, 1, 2]) {
    for (const { file, known } of recognised) {
      if (known?.stage !== stage) continue;
      known.load(recording, file, { name: file.name, folderWallet: wallets.get(path.posix.dirname(file.name)) ?? null });
    }
  }
  return recording;
}

const Owner = z.union([
  z.object({ wallet: z.string() }).transform((row) => row.wallet),
  z.object({ user: z.string() }).transform((row) => row.user),
  z.object({ proxyWallet: z.string() }).transform((row) => row.proxyWallet),
]);

/** The wallet of each folder whose files all speak of the same one. */
function walletsByFolder(files: readonly RecordedFile[]): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { name, rows } of files) {
    const wallets = found.get(path.posix.dirname(name)) ?? new Set<string>();
    found.set(path.posix.dirname(name), wallets);
    for (const { value } of rows) {
      const owner = Owner.safeParse(value);
      if (owner.success) wallets.add(owner.data.toLowerCase());
    }
  }
  return new Map([...found].flatMap(([folder, wallets]) => (wallets.size === 1 ? [[folder, [...wallets].join("")] as const] : [])));
}
