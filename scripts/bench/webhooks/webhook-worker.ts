import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { startQueueEndpoint } from "../../services/queue-endpoint.ts";
import type { Bundle } from "../bundles.ts";
import { objectBindings, objectNamespaces } from "../product-objects.ts";
import { writeModules } from "../reads/read-workers.ts";
import { serveWorkerd } from "../serve-workerd.ts";

/** The product with its webhook objects and an in-memory queue, on its own workerd. */
export interface WebhookWorker {
  /** Wakes the dispatcher, as ingest does after publishing. @throws while the Worker is down */
  wakeDispatcher(): Promise<void>;
  /** Wakes endpoints, as the queue does. @throws while the Worker is down */
  wakeEndpoints(ids: readonly string[]): Promise<void>;
  /** Drops all queued messages. */
  dropMessages(): void;
  /** Kills the Worker at once, with all work in progress. */
  kill(): Promise<void>;
  /** Starts the Worker again on the same storage. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Adds routes to the product's entry: a queue delivery as the platform does it, and the wake call to the
 * dispatcher.
 */
const ENTRY = `
import product from "worker.js";
export * from "worker.js";
export default {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === "/dispatcher") {
      await env.WEBHOOK_DISPATCHER.get(env.WEBHOOK_DISPATCHER.idFromName("dispatcher")).wake();
      return new Response();
    }
    if (pathname !== "/queue") return product.fetch(request, env, context);
    const retries = {};
    const messages = (await request.json()).map((message) => ({
      ...message,
      timestamp: new Date(),
      ack: () => undefined,
      retry: ({ delaySeconds = 0 } = {}) => { retries[message.id] = delaySeconds; },
    }));
    await product.queue({ queue: "webhooks", messages }, env, context);
    return Response.json(retries);
  },
};
`;

/** Delay in seconds by message id, for messages to retry. */
const Retries = z.record(z.string(), z.number());

export async function startWebhookWorker(product: Bundle, variables: Record<string, string>): Promise<WebhookWorker> {
  const texts = Object.entries(variables).map(([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`);
  const queue = await startQueueEndpoint(async (messages) =>
    Retries.parse(await (await post("/queue", messages)).json()),
  );
  const worker = await serveWorkerd({
    writeModules(directory) {
      writeFileSync(join(directory, "entry.js"), ENTRY);
      return `(name = "entry.js", esModule = embed "entry.js"), ${writeModules(directory, "product", product)}`;
    },
    bindings: [...texts, ...objectBindings(), `(name = "WEBHOOKS_QUEUE", queue = "queue")`],
    namespaces: objectNamespaces(),
    services: [`(name = "queue", external = (address = "127.0.0.1:${queue.port}", http = ()))`],
    path: "/api/v1",
  });

  async function post(path: string, body: unknown): Promise<Response> {
    const url = `http://127.0.0.1:${worker.port}${path}`;
    const response = await fetch(url, {
      method: "POST",
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
    return response;
  }

  return {
    wakeDispatcher: async () => void (await post("/dispatcher", null)),
    wakeEndpoints: async (ids) => {
      await post(
        "/queue",
        ids.map((id) => ({ id, body: { kind: "wake_endpoint", endpoint_id: id }, attempts: 1 })),
      );
    },
    dropMessages: queue.drop,
    kill: worker.kill,
    restart: worker.restart,
    async stop() {
      await worker.stop();
      await queue.stop();
    },
  };
}
