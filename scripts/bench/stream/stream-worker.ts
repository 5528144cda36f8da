import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bundle } from "../bundles.ts";
import { objectBindings, objectNamespaces } from "../product-objects.ts";
import { writeModules } from "../reads/read-workers.ts";
import { serveWorkerd } from "../serve-workerd.ts";

/** The product with its stream, on its own workerd. */
export interface StreamWorker {
  readonly port: number;
  readonly pid: number;
  /** Tells the stream object to read the outbox, as ingest does. */
  wakeStream(): Promise<void>;
  /** Runs a garbage collection. */
  collectGarbage(): Promise<void>;
  stop(): Promise<void>;
}

/** Adds two routes to the product's entry: the wake call that ingest uses, and a garbage collection. */
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

export async function startStreamWorker(product: Bundle, variables: Record<string, string>): Promise<StreamWorker> {
  const texts = Object.entries(variables).map(([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`);
  const { port, pid, request, stop } = await serveWorkerd({
    writeModules(directory) {
      writeFileSync(join(directory, "entry.js"), ENTRY);
      return `(name = "entry.js", esModule = embed "entry.js"), ${writeModules(directory, "product", product)}`;
    },
    bindings: [...texts, ...objectBindings()],
    namespaces: objectNamespaces(),
    path: "/api/v1",
  });
  return { port, pid, wakeStream: () => request("/wake"), collectGarbage: () => request("/collect"), stop };
}
