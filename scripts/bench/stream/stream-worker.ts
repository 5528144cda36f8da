import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
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
  /** Stops every object of the stream at once, as a deployment does; the Worker and its responses go on. */
  replaceObjects(): Promise<void>;
  /** The times of the joins at all shards since the Worker started, Unix milliseconds. */
  joinTimes(): Promise<number[]>;
  /** Kills the Worker with its objects. */
  kill(): Promise<void>;
  /** Starts it again on the same storage. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Adds routes to the product's entry: the wake call that ingest uses, a garbage collection, a stop of the objects, and the
 * times of joins.
 */
const ENTRY = `
import product, * as classes from "worker.js";
export * from "worker.js";
const joins = [];
export class StreamFanout extends classes.StreamFanout {
  fetch(request) {
    joins.push(Date.now());
    return super.fetch(request);
  }
  replace() { this.ctx.abort("replaced"); }
}
export class EventStream extends classes.EventStream {
  replace() { this.ctx.abort("replaced"); }
}
async function replaceObjects(env) {
  const shards = Array.from({ length: Number(env.STREAM_SHARDS ?? 16) }, (_, shard) => env.STREAM_FANOUT.getByName(String(shard)));
  await Promise.allSettled([env.EVENT_STREAM.getByName("events"), ...shards].map((object) => object.replace()));
}
export default {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === "/joins") return Response.json(joins);
    if (pathname === "/collect") gc();
    else if (pathname === "/replace") await replaceObjects(env);
    else if (pathname === "/wake") await env.EVENT_STREAM.get(env.EVENT_STREAM.idFromName("events")).wake();
    else return product.fetch(request, env, context);
    return new Response();
  },
};
`;

export async function startStreamWorker(product: Bundle, variables: Record<string, string>): Promise<StreamWorker> {
  const texts = Object.entries(variables).map(([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`);
  const { port, pid, request, kill, restart, stop } = await serveWorkerd({
    writeModules(directory) {
      writeFileSync(join(directory, "entry.js"), ENTRY);
      return `(name = "entry.js", esModule = embed "entry.js"), ${writeModules(directory, "product", product)}`;
    },
    bindings: [...texts, ...objectBindings()],
    namespaces: objectNamespaces(),
    path: "/api/v1",
  });
  return {
    ...{ port, pid, kill, restart, stop },
    wakeStream: () => request("/wake"),
    collectGarbage: () => request("/collect"),
    replaceObjects: () => request("/replace"),
    joinTimes: async () => z.array(z.number()).parse(await (await fetch(`http://127.0.0.1:${port}/joins`)).json()),
  };
}
