import { isSameProcess, listProcesses, listTree, type RunningProcess } from "../../scripts/services/running-processes.ts";

export type { RunningProcess };

/** A process and everything it has started, itself first. */
export const listProcessTree = (root: number): RunningProcess[] => listTree(root);

/** Those that still run. A process id that another process has by now is not the same process. */
export function stillRunning(processes: readonly RunningProcess[]): RunningProcess[] {
  const now = listProcesses();
  return processes.filter((one) => now.some((other) => isSameProcess(one, other)));
}
