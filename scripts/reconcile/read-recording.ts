import path from "node:path";
import { z } from "zod";
import { readRecordedFiles, type RecordedFile } from "../provider/replay/read-directory.ts";
import { noFacts, type Facts } from "./facts.ts";
import { READERS } from "./readers/index.ts";

/**
 * Reads every file of a recording that holds fills or figures of wallets. A file is recognised by the names of its fields, never by its
 * place; every file and every row that does not fit is in `files`.
 *
 * @throws when the directory cannot be read or a file is no JSON
 */
export async function readRecording(dir: string): Promise<Facts> {
  const files = await readRecordedFiles(dir);
  const wallets = walletsByFolder(files);
  const facts = noFacts();
  for (const file of files) {
    const reader = READERS.find((candidate) => candidate.recognises(file)) ?? null;
    const context = { name: file.name, folderWallet: wallets.get(path.posix.dirname(file.name)) ?? null };
    const unreadable = reader?.read(facts, file, context) ?? [];
    facts.files.push({ name: file.name, shape: reader?.shape ?? null, rows: file.rows.length, unreadable });
  }
  return facts;
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
    const folder = path.posix.dirname(name);
    const wallets = found.get(folder) ?? new Set<string>();
    found.set(folder, wallets);
    for (const { value } of rows) {
      const owner = Owner.safeParse(value).data;
      if (owner !== undefined) wallets.add(owner.toLowerCase());
    }
  }
  return new Map(
    [...found].flatMap(([folder, [wallet, ...others]]) => (wallet === undefined || others.length > 0 ? [] : [[folder, wallet]])),
  );
}
