import { spawn, spawnSync, type ChildProcess, type SpawnSyncReturns } from "node:child_process";

/** Runs commands as somebody Postgres accepts: it refuses to run as root. */
export interface Runner {
  runSync(command: string, args: readonly string[]): SpawnSyncReturns<string>;
  spawn(command: string, args: readonly string[]): ChildProcess;
}

const NOBODY = 65_534;
const UNSHARE = ["--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];

/**
 * As an ordinary user: plainly. As root: in a user namespace, where files keep their owner and root is nobody; where namespaces are
 * forbidden, as the user nobody.
 */
export function unprivileged(): Runner {
  if (process.getuid?.() !== 0) return runner([], {});
  if (spawnSync("unshare", [...UNSHARE, "true"]).status === 0) return runner(["unshare", ...UNSHARE], {});
  return runner([], { uid: NOBODY, gid: NOBODY });
}

function runner(prefix: readonly string[], identity: { uid?: number; gid?: number }): Runner {
  const whole = (command: string, args: readonly string[]) => [...prefix, command, ...args];
  return {
    runSync(command, args) {
      const [first = command, ...rest] = whole(command, args);
      return spawnSync(first, rest, { ...identity, encoding: "utf8" });
    },
    spawn(command, args) {
      const [first = command, ...rest] = whole(command, args);
      // unshare replaces itself with the command, so the child's pid is the command's.
      return spawn(first, rest, { ...identity, stdio: ["ignore", "ignore", "pipe"] });
    },
  };
}
