import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CommandFailed, UsageError } from "./exit-codes.ts";

const VERIFY = fileURLToPath(new URL("../../docs/verify.mjs", import.meta.url));

/** Runs docs/verify.mjs, which has nothing of the product. @returns what it printed @throws when a check failed */
export function runVerify(args: readonly string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [VERIFY, ...args], { signal }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout.trim());
      reject(
        signal.aborted
          ? signal.reason
          : error.code === 2
            ? new UsageError(stderr.trim())
            : new CommandFailed(stderr.trim()),
      );
    });
  });
}
