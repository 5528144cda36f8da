import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "./arguments.ts";
import { stopChild } from "./child.ts";

const LOOK_EVERY_MS = 150;
const SHOWN_LOG_LINES = 20;

/**
 * Resolves on the first success of a URL that a process serves.
 *
 * @throws StartError with the end of the log when the process has ended or is not ready in time; it is then stopped
 */
export async function readyOrStopped(
  child: ChildProcess,
  { url, logFile, withinMs }: { readonly url: string; readonly logFile: string; readonly withinMs: number },
): Promise<void> {
  const isReady = () =>
    fetch(url).then(
      (response) => response.ok,
      () => false,
    );
  for (const endsAt = Date.now() + withinMs; Date.now() < endsAt; await sleep(LOOK_EVERY_MS)) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    if (await isReady()) return;
  }
  await stopChild(child);
  const lastLines = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-SHOWN_LOG_LINES).join("\n");
  throw new StartError(`The Worker did not start. The end of ${logFile}:\n${lastLines}`);
}
