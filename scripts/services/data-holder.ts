import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { listProcesses } from "./running-processes.ts";

const LOCK = "postmaster.pid";
const OWNER = "owner.pid";
const END_MS = 10_000;

/** Notes who starts Postgres on this data, so that a server its starter left behind can be told from one in use. */
export function claimData(dataDir: string): void {
  writeFileSync(join(dataDir, OWNER), String(process.pid));
}

/** @returns the id of the living process that runs Postgres on this data, or null when nobody does */
export function findDataUser(dataDir: string): number | null {
  const server = findServer(dataDir);
  return server !== null && server.parent === server.owner ? server.owner : null;
}

/** Ends a server whose starter was killed, and removes the lock that a killed server leaves. */
export async function clearLeftBehind(dataDir: string): Promise<void> {
  const server = findServer(dataDir);
  if (server === null) return rmSync(join(dataDir, LOCK), { force: true });
  // SIGINT is Postgres's fast shutdown.
  process.kill(server.pid, "SIGINT");
  for (const endsAt = Date.now() + END_MS; Date.now() < endsAt; await sleep(50)) if (findServer(dataDir) === null) return;
  throw new Error(`A Postgres that an earlier start left behind (process ${server.pid}) does not end.`);
}

/** The server that the lock file names, provided its process is that server: process ids are used again. */
function findServer(dataDir: string): { pid: number; parent: number; owner: number } | null {
  const lock = join(dataDir, LOCK);
  if (!existsSync(lock)) return null;
  const pid = Number(readFileSync(lock, "utf8").split("\n")[0]);
  const found = listProcesses().find((one) => one.pid === pid);
  if (found === undefined || !found.command.includes(dataDir)) return null;
  const owner = existsSync(join(dataDir, OWNER)) ? Number(readFileSync(join(dataDir, OWNER), "utf8")) : 0;
  return { pid, parent: found.parent, owner };
}
