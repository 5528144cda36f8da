import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { listProcesses } from "./running-processes.ts";

const LOCK = "postmaster.pid";
const OWNER = "owner.pid";
const END_MS = 10_000;

/**
 * Records the owner of Postgres on this data, to distinguish a server in use from one whose starter was
 * killed.
 */
export function claimData(dataDir: string): void {
  writeFileSync(join(dataDir, OWNER), String(process.pid));
}

/** @returns the id of the living process that runs Postgres on this data; null without one */
export function findDataOwner(dataDir: string): number | null {
  const server = findServer(dataDir);
  return server !== null && server.parent === server.owner ? server.owner : null;
}

/** Ends a server whose starter was killed, and removes the lock of a killed server. */
export async function endLeftoverServer(dataDir: string): Promise<void> {
  const server = findServer(dataDir);
  if (server === null) return rmSync(join(dataDir, LOCK), { force: true });
  // SIGINT is Postgres's fast shutdown.
  process.kill(server.pid, "SIGINT");
  for (const endsAt = Date.now() + END_MS; Date.now() < endsAt; await sleep(50))
    if (findServer(dataDir) === null) return;
  throw new Error(`A Postgres of an earlier start (process ${server.pid}) does not end. End it, then start again.`);
}

/** The server of the lock file, if its process still is that server: process ids are reused. */
function findServer(dataDir: string): { pid: number; parent: number; owner: number } | null {
  const lock = join(dataDir, LOCK);
  if (!existsSync(lock)) return null;
  const pid = Number(readFileSync(lock, "utf8").split("\n")[0]);
  const found = listProcesses().find((one) => one.pid === pid);
  if (found === undefined || !found.command.includes(dataDir)) return null;
  const owner = existsSync(join(dataDir, OWNER)) ? Number(readFileSync(join(dataDir, OWNER), "utf8")) : 0;
  return { pid, parent: found.parent, owner };
}
