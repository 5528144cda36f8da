import path from "node:path";
import { figureLoaders } from "./figure-loaders.ts";
import type { Loader } from "./loader.ts";
import { marketLoaders } from "./market-loaders.ts";
import { readRecordedFiles } from "./read-directory.ts";
import { Recording } from "../recording.ts";
import { relayedLoaders } from "./relayed-loaders.ts";
import { tradeLoaders } from "./trade-loaders.ts";
import { walletsByFolder } from "./wallets-by-folder.ts";

const LOADERS: readonly Loader[] = [...relayedLoaders, ...tradeLoaders, ...marketLoaders, ...figureLoaders];

/** Reads a directory of recorded files. Each is recognised by its content, never by its path. */
export async function loadRecording(dir: string): Promise<Recording> {
  const files = await readRecordedFiles(dir);
  const wallets = walletsByFolder(files);
  const recording = new Recording();
  const recognised = files.map((file) => ({ file, known: LOADERS.find((candidate) => candidate.fits(file)) ?? null }));
  for (const { file, known } of recognised)
    if (known === null && file.rows.length > 0) recording.unserved.push(file.name);
  for (const stage of [0, 1, 2]) {
    for (const { file, known } of recognised) {
      if (known?.stage !== stage) continue;
      known.load(recording, file, {
        name: file.name,
        folderWallet: wallets.get(path.posix.dirname(file.name)) ?? null,
      });
    }
  }
  return recording;
}
