import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** On the file system of all targets, and outside the folders that wrangler watches. */
const dist = join(import.meta.dirname, "../../dist");

/** Writes files so that no reader sees a part of one, also when several starts build at once. */
export function replaceFiles(files: Iterable<readonly [path: string, text: string]>): void {
  mkdirSync(dist, { recursive: true });
  const staging = mkdtempSync(join(dist, "staging-"));
  try {
    for (const [path, text] of files) {
      const written = join(staging, "file");
      writeFileSync(written, text);
      mkdirSync(dirname(path), { recursive: true });
      renameSync(written, path);
    }
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
