import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import workerd from "workerd";
import { freePort } from "../../services/free-port.ts";
import { COMPATIBILITY_DATE, type Bundle } from "../bundles.ts";
import { objectBindings, objectNamespaces } from "../product-objects.ts";
import { binaryOf, untilAnswering, writeModules } from "../read-workers.ts";

/** The product on a workerd of its own, with its stream. */
export interface StreamWorker {
  readonly url: string;
  readonly pid: number;
  /** Says to the stream that events were published, as ingest does. */
  wakeStream(): Promise<void>;
  /** Throws away what nothing needs any more. */
  collectGarbage(): Promise<void>;
  stop(): Promise<void>;
}

/** Beside the product's own way in, the one that ingest has to the stream, and one to the memory. */
const ENTRY = `
import product from "worker.js";
export * from "worker.js";
export default {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === "/collect") gc();
    else if (pathname === "/wake") await env.EVENT_STREAM.get(env.EVENT_STREAM.idFromName("events")).wake();
    else return product.fetch(request, env, context);
    return new Response();
  },
};
`;

/** workerd without the simulators of local development, which pass every outgoing request through a Worker of their own. */
export async function startStreamWorker(product: Bundle, variables: Record<string, string>): Promise<StreamWorker> {
  const directory = mkdtempSync(join(tmpdir(), "stream-workerd-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  mkdirSync(join(directory, "objects"));
  writeFileSync(join(directory, "entry.js"), ENTRY);
  const texts = Object.entries(variables).map(([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`);
  writeFileSync(
    join(directory, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ["--expose-gc"],
  services = [
    (name = "product", worker = .product),
    (name = "internet", network = (allow = ["public", "private"])),
    (name = "objects", disk = (path = "${join(directory, "objects")}", writable = true))
  ],
  sockets = [(name = "product", address = "127.0.0.1:${port}", http = (), service = "product")]
);
const product :Workerd.Worker = (
  modules = [(name = "entry.js", esModule = embed "entry.js"), ${writeModules(directory, "product", product)}],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  bindings = [${[...texts, ...objectBindings()].join(", ")}],
  durableObjectNamespaces = [${objectNamespaces().join(", ")}],
  durableObjectStorage = (localDisk = "objects")
);
`,
  );
  const child = spawn(binaryOf(workerd), ["serve", join(directory, "config.capnp")], { stdio: ["ignore", "ignore", "inherit"] });
  await untilAnswering(`${url}/api/v1`);
  const ask = async (path: string): Promise<void> => {
    const response = await fetch(`${url}${path}`);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  };
  return {
    url,
    pid: child.pid ?? Number.NaN,
    wakeStream: () => ask("/wake"),
    collectGarbage: () => ask("/collect"),
    async stop() {
      const exited = once(child, "exit");
      child.kill();
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
