import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import workerd from "workerd";
import { freePort } from "../services/free-port.ts";
import { COMPATIBILITY_DATE } from "./bundles.ts";
import { binaryOf, untilAnswering } from "./read-workers.ts";

/** One Worker in workerd's configuration language. */
export interface ServedWorker {
  /** Writes its modules into a directory. @returns their list */
  writeModules(directory: string): string;
  readonly bindings: readonly string[];
  readonly namespaces: readonly string[];
  /** What else its bindings name. */
  readonly services?: readonly string[];
  /** Answers once it is there. */
  readonly path: string;
}

export interface Workerd {
  readonly port: number;
  readonly pid: number;
  /** @throws when the answer is no success */
  ask(path: string): Promise<void>;
  /** Ends it at once, with all that is under way in it. */
  kill(): Promise<void>;
  /** Starts it again on the same storage and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A Worker on a workerd of its own, without the simulators of local development, which pass every outgoing request through another Worker. */
export async function serveWorkerd({ writeModules, bindings, namespaces, services = [], path }: ServedWorker): Promise<Workerd> {
  const directory = mkdtempSync(join(tmpdir(), "workerd-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const all = [
    `(name = "worker", worker = .worker)`,
    `(name = "internet", network = (allow = ["public", "private"]))`,
    `(name = "objects", disk = (path = "${join(directory, "objects")}", writable = true))`,
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
  compatibilityDate = "${COMPATIBILITY_DATE}",
  bindings = [${bindings.join(", ")}],
  durableObjectNamespaces = [${namespaces.join(", ")}],
  durableObjectStorage = (localDisk = "objects")
);
`,
  );
  let child: ChildProcess;
  const start = async () => {
    child = spawn(binaryOf(workerd), ["serve", join(directory, "config.capnp")], { stdio: ["ignore", "ignore", "inherit"] });
    await untilAnswering(url + path);
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
    async ask(asked) {
      const response = await fetch(url + asked);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${asked} answered ${response.status}`);
    },
    kill: () => end("SIGKILL"),
    restart: async () => void (await start()),
    async stop() {
      // Told to end it would wait for streams that are still open, and nothing of it is kept.
      await end("SIGKILL");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
