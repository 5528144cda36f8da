import path from "node:path";
import { readRecordedFiles } from "../provider/replay/read-directory.ts";
import { walletsByFolder } from "../provider/replay/wallets-by-folder.ts";
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
