import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { isSameProcess, listProcesses, listTree, type RunningProcess } from "../services/running-processes.ts";

const FILE = "processes.json";
const TERM_MS = 5_000;
const KILL_MS = 5_000;

const Sighting = z.object({ pid: z.int(), parent: z.int(), group: z.int(), startedAt: z.string(), command: z.string() });

/** What a start notes of its processes, so that the next start on the same data can tell them from others. */
const Noted = z.object({ owner: Sighting, started: z.array(Sighting) });

export type Noted = z.output<typeof Noted>;

/** Notes this process and all that the given ones have started, themselves included. */
export function noteProcesses(dataDir: string, roots: readonly number[]): void {
  const all = listProcesses();
  const owner = all.find(({ pid }) => pid === process.pid);
  if (owner === undefined) throw new Error("This process is not among those that run.");
  const noted: Noted = { owner, started: roots.flatMap((root) => listTree(root, all)) };
  writeFileSync(join(dataDir, FILE), `${JSON.stringify(noted, null, 1)}\n`, { mode: 0o600 });
}

/** Once everything has been stopped. */
export const forgetProcesses = (dataDir: string): void => rmSync(join(dataDir, FILE), { force: true });

/**
 * The process that a start of this data still is, or what an earlier one has left behind: noted processes that run with the start time and the
 * command they were noted with, what these have started, and what shares the group of a noted group's first member. A pid that another process has
 * by now is nobody's of ours.
 */
export function findLeftBehind(
  noted: Noted | null,
  running: readonly RunningProcess[],
): { readonly owner: number | null; readonly remains: readonly RunningProcess[] } {
  if (noted === null) return { owner: null, remains: [] };
  if (running.some((one) => isSameProcess(one, noted.owner))) return { owner: noted.owner.pid, remains: [] };
  const own = running.filter((one) => noted.started.some((other) => isSameProcess(one, other)));
  const groups = own.filter(({ pid, group }) => pid === group).map(({ group }) => group);
  const trees = own.flatMap(({ pid }) => listTree(pid, running));
  const grouped = running.filter(({ group }) => groups.includes(group));
  return { owner: null, remains: [...new Set([...own, ...trees, ...grouped])] };
}

/** @returns the pid of the start that runs on this data; null when none does, and all that an earlier one had left behind has been ended */
export async function endLeftBehind(dataDir: string, log: (line: string) => void): Promise<number | null> {
  const noted = readNoted(dataDir);
  const find = () => findLeftBehind(noted, listProcesses());
  const { owner, remains } = find();
  if (owner !== null || remains.length === 0) return owner;
  log(`An earlier start was killed and left ${remains.length} processes behind; they are ended.`);
  for (const [signal, withinMs] of [
    ["SIGTERM", TERM_MS],
    ["SIGKILL", KILL_MS],
  ] as const) {
    // Who is signalled is still the same: found again right before.
    signalAll(survivors(remains), signal);
    for (const endsAt = Date.now() + withinMs; Date.now() < endsAt; await sleep(50)) if (survivors(remains).length === 0) return null;
  }
  throw new Error(`Processes that an earlier start left behind do not end: ${pidsOf(survivors(remains))}.`);
}

/** What was found once may lose the parent by which it was found: each is known by itself from then on. */
function survivors(remains: readonly RunningProcess[]): RunningProcess[] {
  return listProcesses().filter((one) => remains.some((other) => isSameProcess(one, other)));
}

function signalAll(processes: readonly RunningProcess[], signal: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended since it was found.
    }
  }
}

const pidsOf = (processes: readonly RunningProcess[]) => processes.map(({ pid }) => pid).join(", ");

/** A file that was cut off while it was written notes nothing. */
function readNoted(dataDir: string): Noted | null {
  const file = join(dataDir, FILE);
  if (!existsSync(file)) return null;
  try {
    return Noted.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}
