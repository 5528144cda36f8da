import { spawn, spawnSync, type ChildProcess, type SpawnSyncReturns } from "node:child_process";

/** Runs commands as a user that Postgres accepts, because Postgres refuses to run as root. */
export interface ProcessRunner {
  /** The user that must own the files the commands write; null for the current user. */
  readonly owner: number | null;
  runSync(command: string, args: readonly string[]): SpawnSyncReturns<string>;
  spawn(command: string, args: readonly string[]): ChildProcess;
}

const NOBODY = 65_534;

/** A user namespace in which files keep their owner and root becomes nobody. */
const NAMESPACE = ["unshare", "--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];
/**
 * Containers forbid namespaces. There the user nobody keeps root's right to reach files, such as those in
 * root's private home.
 */
const CAPABILITY = [
  ...["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"],
  ...["--inh-caps=+dac_override", "--ambient-caps=+dac_override"],
];

/**
 * As an ordinary user: without a wrapper. As root: the first method that works here, and as the last one
 * plain nobody.
 */
export function unprivilegedRunner(): ProcessRunner {
  if (process.getuid?.() !== 0) return runner([], null);
  if (works(NAMESPACE)) return runner(NAMESPACE, null);
  if (works(CAPABILITY)) return runner(CAPABILITY, NOBODY);
  return runner([], NOBODY, { uid: NOBODY, gid: NOBODY });
}

function works(prefix: readonly string[]): boolean {
  const [command = "", ...args] = prefix;
  return spawnSync(command, [...args, "true"]).status === 0;
}

function runner(
  prefix: readonly string[],
  owner: number | null,
  identity: { uid?: number; gid?: number } = {},
): ProcessRunner {
  const whole = (command: string, args: readonly string[]) => [...prefix, command, ...args];
  return {
    owner,
    runSync(command, args) {
      const [first = command, ...rest] = whole(command, args);
      return spawnSync(first, rest, { ...identity, encoding: "utf8" });
    },
    spawn(command, args) {
      const [first = command, ...rest] = whole(command, args);
      // unshare and setpriv exec the command, so the child's pid is the command's. In its own group it does
      // not get the terminal's Ctrl-C, and ends only when signalled.
      return spawn(first, rest, { ...identity, detached: true, stdio: ["ignore", "ignore", "pipe"] });
    },
  };
}
