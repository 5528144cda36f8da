import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { isSameProcess, listProcesses, listTree, type RunningProcess } from "../services/running-processes.ts";

const FILE = "processes.json";
const TERM_MS = 5_000;
const KILL_MS = 5_000;

const ProcessRecord = z.object({
  pid: z.int(),
  parent: z.int(),
  group: z.int(),
  startedAt: z.string(),
  command: z.string(),
});

/** The processes that a start records, so that the next start on the same data can recognise them. */
const RecordedProcesses = z.object({ owner: ProcessRecord, started: z.array(ProcessRecord) });

export type RecordedProcesses = z.output<typeof RecordedProcesses>;

/** Records this process, and the given ones with all their descendants. */
export function recordProcesses(dataDir: string, roots: readonly number[]): void {
  const all = listProcesses();
  const owner = all.find(({ pid }) => pid === process.pid);
  if (owner === undefined) throw new Error("This process is missing from the list of processes.");
  const record: RecordedProcesses = { owner, started: roots.flatMap((root) => listTree(root, all)) };
  writeFileSync(join(dataDir, FILE), `${JSON.stringify(record, null, 1)}\n`, { mode: 0o600 });
}

/** Removes the record once everything has stopped. */
export const removeProcessRecord = (dataDir: string): void => rmSync(join(dataDir, FILE), { force: true });

/**
 * The process of a start that still runs on this data, or the processes left by a killed one: recorded
 * processes that still run with the recorded start time and command, their descendants, and the members of
 * their groups. A process that merely reuses a pid is never included.
 */
export function findLeftoverProcesses(
  record: RecordedProcesses | null,
  running: readonly RunningProcess[],
): { readonly owner: number | null; readonly remains: readonly RunningProcess[] } {
  if (record === null) return { owner: null, remains: [] };
  if (running.some((one) => isSameProcess(one, record.owner))) return { owner: record.owner.pid, remains: [] };
  const own = running.filter((one) => record.started.some((other) => isSameProcess(one, other)));
  const groups = own.filter(({ pid, group }) => pid === group).map(({ group }) => group);
  const trees = own.flatMap(({ pid }) => listTree(pid, running));
  const grouped = running.filter(({ group }) => groups.includes(group));
  return { owner: null, remains: [...new Set([...own, ...trees, ...grouped])] };
}

/**
 * @returns the pid of the start that runs on this data; null without one, after ending all processes left by
 * a killed one
 */
export async function endLeftoverProcesses(dataDir: string, log: (line: string) => void): Promise<number | null> {
  const record = readRecord(dataDir);
  const find = () => findLeftoverProcesses(record, listProcesses());
  const { owner, remains } = find();
  if (owner !== null || remains.length === 0) return owner;
  log(`An earlier start was killed and left ${remains.length} processes behind; they are ended.`);
  for (const [signal, withinMs] of [
    ["SIGTERM", TERM_MS],
    ["SIGKILL", KILL_MS],
  ] as const) {
    // Searched again right before each signal, so that no reused pid is signalled.
    signalAll(survivors(remains), signal);
    for (const endsAt = Date.now() + withinMs; Date.now() < endsAt; await sleep(50))
      if (survivors(remains).length === 0) return null;
  }
  throw new Error(
    `Processes left by an earlier start do not end: ${pidsOf(survivors(remains))}. End them, then start again.`,
  );
}

/** Finds each process by itself, because the parent by which it was found may have ended. */
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

/** Null also for a file that is incomplete because its writer was killed. */
function readRecord(dataDir: string): RecordedProcesses | null {
  const file = join(dataDir, FILE);
  if (!existsSync(file)) return null;
  try {
    return RecordedProcesses.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}
