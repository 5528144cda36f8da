import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** A process and everything it has started, itself first. */
export function listProcessTree(root: number): RunningProcess[] {
  const all = listProcesses();
  const tree = all.filter(({ pid }) => pid === root);
  for (const member of tree) tree.push(...all.filter(({ parent }) => parent === member.pid));
  return tree;
}

/** Those that still run. A process id that another command has by now is not the same process. */
export function stillRunning(processes: readonly RunningProcess[]): RunningProcess[] {
  const now = new Map(listProcesses().map((one) => [one.pid, one.command]));
  return processes.filter(({ pid, command }) => now.get(pid) === command);
}

function listProcesses(): RunningProcess[] {
  if (process.platform === "linux") return readdirSync("/proc").filter(isNumber).flatMap(readProcess);
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,command="], { encoding: "utf8" });
  return [...stdout.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, pid, parent, command = ""]) => ({
    pid: Number(pid),
    parent: Number(parent),
    command,
  }));
}

const isNumber = (name: string) => /^\d+$/.test(name);

function readProcess(pid: string): RunningProcess[] {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    // Threads of the kernel and processes that have ended but were not asked for their exit code have no command.
    if (command === "") return [];
    const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return [{ pid: Number(pid), parent: Number(parent), command }];
  } catch {
    // It has ended since the list was read.
    return [];
  }
}
