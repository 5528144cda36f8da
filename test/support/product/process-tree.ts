import {
  isSameProcess,
  listProcesses,
  listTree,
  type RunningProcess,
} from "../../../scripts/services/running-processes.ts";

export type { RunningProcess };

/** A process and all its descendants, the process itself first. */
export const listProcessTree = (root: number): RunningProcess[] => listTree(root);

/** The processes that are still running. Another process with a reused process id does not count. */
export function stillRunning(processes: readonly RunningProcess[]): RunningProcess[] {
  const now = listProcesses();
  return processes.filter((one) => now.some((other) => isSameProcess(one, other)));
}
