import path from "node:path";
import { readRecordedFiles } from "../provider/replay/load/read-directory.ts";
import { walletsByFolder } from "../provider/replay/load/wallets-by-folder.ts";
import { emptyFacts, type RecordingFacts } from "./recording-facts.ts";
import { READERS } from "./readers/index.ts";

/**
 * Reads every file of a recording with fills or figures of wallets. A file is recognised by the names of its
 * fields, never by its path; `files` lists every file and every row that does not fit.
 *
 * @throws when the directory cannot be read or a file is not JSON
 */
export async function readRecording(dir: string): Promise<RecordingFacts> {
  const files = await readRecordedFiles(dir);
  const wallets = walletsByFolder(files);
  const facts = emptyFacts();
  for (const file of files) {
    const reader = READERS.find((candidate) => candidate.recognises(file)) ?? null;
    const context = { name: file.name, folderWallet: wallets.get(path.posix.dirname(file.name)) ?? null };
    const unreadable = reader?.read(facts, file, context) ?? [];
    facts.files.push({ name: file.name, shape: reader?.shape ?? null, rows: file.rows.length, unreadable });
  }
  return facts;
}
