import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** Its process group: the pid of the group's first member. */
  readonly group: number;
  /** Distinguishes the process from earlier ones with the same pid. */
  readonly startedAt: string;
  readonly command: string;
}

/** All visible processes, on Linux from /proc and elsewhere from `ps`. Zombies are left out. */
export function listProcesses(): RunningProcess[] {
  if (process.platform !== "linux") return readPs();
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => readProc(pid, boot));
}

/** A process and all its descendants, itself first. */
export function listTree(root: number, all: readonly RunningProcess[] = listProcesses()): RunningProcess[] {
  const tree = all.filter(({ pid }) => pid === root);
  for (const member of tree) tree.push(...all.filter(({ parent, pid }) => parent === member.pid && pid !== member.pid));
  return tree;
}

/** Whether two records describe the same process. */
export const isSameProcess = (one: RunningProcess, other: RunningProcess): boolean =>
  one.pid === other.pid && one.startedAt === other.startedAt && one.command === other.command;

function readProc(pid: string, boot: string): RunningProcess[] {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    // Kernel threads and ended processes have no command.
    if (command === "") return [];
    // A name may contain blanks and brackets; after it come state, parent, group and, as 20th, the start in
    // ticks since boot (proc(5)).
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [
      {
        pid: Number(pid),
        parent: Number(fields[1]),
        group: Number(fields[2]),
        startedAt: `${boot} ${fields[19]}`,
        command,
      },
    ];
  } catch {
    // It has ended since the list was read.
    return [];
  }
}

function readPs(): RunningProcess[] {
  const { stdout } = spawnSync("ps", ["-A", "-ww", "-o", "pid=,ppid=,pgid=,lstart=,command="], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  return parsePs(stdout ?? "");
}

/** Parses lines of pid, parent, group, start (`Sun Nov 22 10:11:12 2026`) and command. */
export const parsePs = (text: string): RunningProcess[] =>
  [...text.matchAll(/^ *(\d+) +(\d+) +(\d+) +(\S+ +\S+ +\S+ +[\d:]+ +\d{4}) +(.*)$/gm)].map(
    ([, pid, parent, group, startedAt = "", command = ""]) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      startedAt: startedAt.replace(/ +/g, " "),
      command,
    }),
  );
