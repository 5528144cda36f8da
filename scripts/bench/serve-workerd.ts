import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compatibilityDate } from "../compatibility-date.ts";
import { freePort } from "../services/free-port.ts";
import { waitUntilReady, workerdBinary } from "../workerd-process.ts";
import { emptyCacheService } from "./empty-cache.ts";

/** One Worker in workerd's configuration language. */
export interface WorkerdConfig {
  /** Writes the modules into a directory. @returns their list */
  writeModules(directory: string): string;
  readonly bindings: readonly string[];
  readonly namespaces: readonly string[];
  /** Further services that the bindings name. */
  readonly services?: readonly string[];
  /** A path that responds once the Worker is ready. */
  readonly path: string;
}

export interface Workerd {
  readonly port: number;
  readonly pid: number;
  /** @throws when the response is not a success */
  request(path: string): Promise<void>;
  /** Kills the process at once, with all work in progress. */
  kill(): Promise<void>;
  /** Starts it again on the same storage and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Serves a Worker on its own workerd, without the local-development simulators, which add a Worker to every
 * outgoing request.
 */
export async function serveWorkerd({
  writeModules,
  bindings,
  namespaces,
  services = [],
  path,
}: WorkerdConfig): Promise<Workerd> {
  const directory = mkdtempSync(join(tmpdir(), "workerd-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const all = [
    `(name = "worker", worker = .worker)`,
    `(name = "internet", network = (allow = ["public", "private"]))`,
    `(name = "objects", disk = (path = "${join(directory, "objects")}", writable = true))`,
    emptyCacheService(),
    ...services,
  ];
  mkdirSync(join(directory, "objects"));
  writeFileSync(
    join(directory, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ["--expose-gc"],
  services = [${all.join(", ")}],
  sockets = [(name = "worker", address = "127.0.0.1:${port}", http = (), service = "worker")]
);
const worker :Workerd.Worker = (
  modules = [${writeModules(directory)}],
  compatibilityDate = "${compatibilityDate()}",
  bindings = [${bindings.join(", ")}],
  durableObjectNamespaces = [${namespaces.join(", ")}],
  durableObjectStorage = (localDisk = "objects"),
  cacheApiOutbound = "cache"
);
`,
  );
  let child: ChildProcess;
  const start = async () => {
    child = spawn(workerdBinary(), ["serve", join(directory, "config.capnp")], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    await waitUntilReady(url + path);
    return child;
  };
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  };
  const { pid = Number.NaN } = await start();
  return {
    port,
    pid,
    async request(requested) {
      const response = await fetch(url + requested);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${requested} responded with ${response.status}`);
    },
    kill: () => end("SIGKILL"),
    restart: async () => void (await start()),
    async stop() {
      // SIGTERM would wait for open streams, and no state is kept.
      await end("SIGKILL");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
