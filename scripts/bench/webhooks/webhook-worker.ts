import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import workerd from "workerd";
import { z } from "zod";
import { freePort } from "../../services/free-port.ts";
import { startQueueEndpoint, type QueuedMessage } from "../../services/queue-endpoint.ts";
import { COMPATIBILITY_DATE, type Bundle } from "../bundles.ts";
import { binaryOf, untilAnswering, writeModules } from "../read-workers.ts";

/** The product on a workerd of its own, with its webhook objects and a queue in memory. */
export interface WebhookWorker {
  /** Says to the dispatcher that events were published. @throws while the Worker is away */
  wakeDispatcher(): Promise<void>;
  /** As the queue would. @throws while the Worker is away */
  wakeEndpoints(ids: readonly string[]): Promise<void>;
  /** Loses the messages that wait. */
  forgetMessages(): void;
  /** Ends the Worker at once, with all that is under way in it. */
  kill(): Promise<void>;
  /** Starts it again on the same storage. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Beside the product's own way in, the ways in that the platform has for queues and that ingest has for the dispatcher. */
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
    const again = {};
    const messages = (await request.json()).map((message) => ({
      ...message,
      ack: () => undefined,
      retry: ({ delaySeconds = 0 } = {}) => { again[message.id] = delaySeconds; },
    }));
    await product.queue({ queue: "webhooks", messages }, env, context);
    return Response.json(again);
  },
};
`;

const Again = z.record(z.string(), z.number());

/** workerd without the simulators of local development, which pass every outgoing request through a Worker of their own. */
export async function startWebhookWorker(product: Bundle, variables: Record<string, string>): Promise<WebhookWorker> {
  const directory = mkdtempSync(join(tmpdir(), "webhook-workerd-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const consume = async (messages: readonly QueuedMessage[]) => Again.parse(await (await post("/queue", messages)).json());
  const post = async (path: string, body: unknown): Promise<Response> => {
    const response = await fetch(`${url}${path}`, { method: "POST", body: JSON.stringify(body), signal: AbortSignal.timeout(10_000) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response;
  };
  const queue = await startQueueEndpoint(consume);
  mkdirSync(join(directory, "objects"));
  writeFileSync(join(directory, "entry.js"), ENTRY);
  const texts = Object.entries(variables).map(([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`);
  writeFileSync(
    join(directory, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "product", worker = .product),
    (name = "internet", network = (allow = ["public", "private"])),
    (name = "queue", external = (address = "127.0.0.1:${queue.port}", http = ())),
    (name = "objects", disk = (path = "${join(directory, "objects")}", writable = true))
  ],
  sockets = [(name = "product", address = "127.0.0.1:${port}", http = (), service = "product")]
);
const product :Workerd.Worker = (
  modules = [(name = "entry.js", esModule = embed "entry.js"), ${writeModules(directory, "product", product)}],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  bindings = [
    ${texts.join(", ")},
    (name = "WEBHOOKS_QUEUE", queue = "queue"),
    (name = "WEBHOOK_DISPATCHER", durableObjectNamespace = "WebhookDispatcher"),
    (name = "WEBHOOK_ENDPOINT", durableObjectNamespace = "WebhookEndpoint")
  ],
  durableObjectNamespaces = [
    (className = "WebhookDispatcher", uniqueKey = "dispatcher", enableSql = true),
    (className = "WebhookEndpoint", uniqueKey = "endpoint", enableSql = true)
  ],
  durableObjectStorage = (localDisk = "objects")
);
`,
  );
  let child: ChildProcess;
  const start = async () => {
    child = spawn(binaryOf(workerd), ["serve", join(directory, "config.capnp")], { stdio: ["ignore", "ignore", "inherit"] });
    await untilAnswering(`${url}/api/v1`);
  };
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  };
  await start();
  return {
    wakeDispatcher: async () => void (await post("/dispatcher", null)),
    wakeEndpoints: async (ids) => {
      await post(
        "/queue",
        ids.map((id) => ({ id, body: { kind: "wake_endpoint", endpoint_id: id }, attempts: 1 })),
      );
    },
    forgetMessages: queue.forget,
    kill: () => end("SIGKILL"),
    restart: start,
    async stop() {
      await end("SIGTERM");
      await queue.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
