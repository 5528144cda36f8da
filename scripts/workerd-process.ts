import { setTimeout as sleep } from "node:timers/promises";
import workerd from "workerd";

const READY_WITHIN_MS = 20_000;

/** Path of the workerd executable. The package is CommonJS; its path is one level deeper than its types declare. */
export function workerdBinary(): string {
  const imported: unknown = workerd;
  const path = typeof imported === "object" && imported !== null && "default" in imported ? imported.default : imported;
  if (typeof path !== "string") throw new Error("the workerd package exports no binary path");
  return path;
}

/** Resolves on the first response of any status. @throws the connection's error when there is none within 20 seconds */
export async function waitUntilReady(url: string): Promise<void> {
  for (const endsAt = Date.now() + READY_WITHIN_MS; ; await sleep(50)) {
    try {
      await (await fetch(url)).arrayBuffer();
      return;
    } catch (error) {
      if (Date.now() > endsAt) throw error;
    }
  }
}
