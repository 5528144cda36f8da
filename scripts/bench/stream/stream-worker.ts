import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bundle } from "../bundles.ts";
import { objectBindings, objectNamespaces } from "../product-objects.ts";
import { writeModules } from "../read-workers.ts";
import { serveWorkerd } from "../serve-workerd.ts";

/** The product on a workerd of its own, with its stream. */
export interface StreamWorker {
  readonly port: number;
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

export async function startStreamWorker(product: Bundle, variables: Record<string, string>): Promise<StreamWorker> {
  const texts = Object.entries(variables).map(([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`);
  const { port, pid, ask, stop } = await serveWorkerd({
    writeModules(directory) {
      writeFileSync(join(directory, "entry.js"), ENTRY);
      return `(name = "entry.js", esModule = embed "entry.js"), ${writeModules(directory, "product", product)}`;
    },
    bindings: [...texts, ...objectBindings()],
    namespaces: objectNamespaces(),
    path: "/api/v1",
  });
  return { port, pid, wakeStream: () => ask("/wake"), collectGarbage: () => ask("/collect"), stop };
}
