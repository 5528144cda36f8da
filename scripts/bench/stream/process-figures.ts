import { readFileSync } from "node:fs";

/** The resources that a process has used. */
export interface ProcessFigures {
  /** Of all its threads. */
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** Linux counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** @throws where there is no /proc: this part of the benchmark runs on Linux only */
export function readFigures(pid: number): ProcessFigures {
  // The command name is in brackets and may contain blanks; user and system time are fields 12 and 13 after
  // it.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    residentBytes: Number(resident) * 1024,
  };
}
