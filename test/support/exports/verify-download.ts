import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const VERIFY = new URL("../../../docs/verify.mjs", import.meta.url).pathname;

/** What verify.mjs is given: a file, the response of the job's status, and further arguments. */
export interface DownloadToVerify {
  readonly bytes: Uint8Array | string;
  readonly status: unknown;
  readonly args?: readonly string[];
}

/** Runs `verify.mjs download` as a process. @returns its exit code and what it printed */
export async function verifyDownload({ bytes, status, args = [] }: DownloadToVerify) {
  const dir = mkdtempSync(join(tmpdir(), "download-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const [file, statusFile] = [join(dir, "file"), join(dir, "status.json")];
  writeFileSync(file, bytes);
  writeFileSync(statusFile, JSON.stringify(status));
  return promisify(execFile)(process.execPath, [VERIFY, "download", file, statusFile, ...args]).then(
    ({ stdout }) => ({ code: 0, text: stdout.trim() }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr.trim() }),
  );
}
