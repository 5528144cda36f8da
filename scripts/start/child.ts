import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

const STOP_MS = 5_000;

/** Starts a process in its own group, so that stopping it also stops its descendants. */
export function startChild(
  command: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; stdio: StdioOptions; cwd?: string },
): ChildProcess {
  return spawn(command, args, { ...options, detached: true });
}

/** Sends SIGTERM to the group, and SIGKILL when it does not end in time. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<boolean>((resolve) => child.once("exit", () => resolve(true)));
  signalGroup(child.pid, "SIGTERM");
  if (!(await Promise.race([ended, sleep(STOP_MS, false)]))) signalGroup(child.pid, "SIGKILL");
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}
