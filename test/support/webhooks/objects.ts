/// <reference types="@cloudflare/vitest-plugin/types" />
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, vi } from "vitest";
import { consumeWebhooks } from "../../../queues/webhooks.ts";
import type { Env } from "../../../src/env.ts";
import { WebhookMessage } from "../../../src/messages/webhooks.ts";
import { findVerifier } from "../../../src/ports/webhook-ports.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { anEndpoint, untilReadable, type SeededEndpoint } from "../seed/webhooks.ts";
import { storedDeliveries, type Answer } from "./delivering.ts";

const bindings = env as Env;

/** What the objects have sent, with the delay of each message in seconds. */
export interface Sent {
  readonly message: WebhookMessage;
  readonly delaySeconds: number | null;
}

/** The webhook objects over a database of the test's own, with a queue that only remembers and receivers that are scripted. */
export class WebhookObjects {
  database!: TestDatabase;
  sent: Sent[] = [];
  /** By host; names resolve to a public address. */
  receivers: Record<string, Answer> = {};
  readonly #adopted = new Set<string>();
  /** What the queue does but remember. */
  onSend: () => void = () => undefined;

  get db() {
    return this.database.db;
  }

  /** The bindings with the test's database and queue. */
  settings() {
    return {
      ...bindings,
      DATABASE_URL: this.database.databaseUrl,
      WEBHOOKS_QUEUE: {
        send: async (body: unknown, options?: { delaySeconds: number }) => this.#take(body, options?.delaySeconds ?? null),
        sendBatch: async (messages: { body: unknown }[]) => messages.forEach(({ body }) => this.#take(body, null)),
      },
    };
  }

  #take(body: unknown, delaySeconds: number | null): void {
    this.onSend();
    this.sent.push({ message: WebhookMessage.parse(body), delaySeconds });
  }

  /** Endpoints that have been woken. */
  woken(): string[] {
    return this.sent.flatMap(({ message }) => (message.kind === "wake_endpoint" ? [message.endpoint_id] : []));
  }

  dispatcher() {
    return bindings.WEBHOOK_DISPATCHER.get(bindings.WEBHOOK_DISPATCHER.idFromName("dispatcher"));
  }

  /** Runs the dispatcher's alarm once. @returns when it will run next */
  look(): Promise<number | null> {
    return runInDurableObject(this.dispatcher(), async (instance, state) => {
      Reflect.set(instance, "env", this.settings());
      await instance.alarm();
      return state.storage.getAlarm();
    });
  }

  /** The same once all events can be read, and no more after it. @returns when it would run next */
  async dispatch(): Promise<number | null> {
    await untilReadable(this.db);
    const next = await this.look();
    await runInDurableObject(this.dispatcher(), (_instance, state) => state.storage.deleteAlarm());
    return next;
  }

  /** Runs an endpoint's alarm once. @returns when it would run next; null when it would not */
  async drain(id: string): Promise<number | null> {
    await this.adopt(id);
    return runInDurableObject(this.objectOf(id), async (instance, state) => {
      await state.storage.put("endpoint_id", id);
      await instance.alarm();
      const next = await state.storage.getAlarm();
      await state.storage.deleteAlarm();
      return next;
    });
  }

  objectOf(id: string) {
    return bindings.WEBHOOK_ENDPOINT.get(bindings.WEBHOOK_ENDPOINT.idFromName(`endpoint:${id}`));
  }

  /** Lets an endpoint's object, as it now is, work with the test's database. */
  async adopt(id: string): Promise<void> {
    this.#adopted.add(id);
    await runInDurableObject(this.objectOf(id), (instance) => void Reflect.set(instance, "env", this.settings()));
  }

  /** Lets the object of an attempt to verify an endpoint work with the test's database, and tell through this queue. */
  async adoptVerifier(attemptId: string, queue: Env["WEBHOOKS_QUEUE"]): Promise<void> {
    const settings = { ...this.settings(), WEBHOOKS_QUEUE: queue };
    await runInDurableObject(findVerifier(bindings.WEBHOOK_ENDPOINT, attemptId), (instance) => void Reflect.set(instance, "env", settings));
  }

  /** Ends them, and lets them know nothing: another test's endpoints have the same ids. */
  async forget(): Promise<void> {
    // First: an alarm that is moved while it runs is taken for one that failed, and the next may come seconds later.
    await abortAllDurableObjects();
    for (const id of this.#adopted) {
      await runInDurableObject(this.objectOf(id), async (_instance, state) => {
        await state.storage.deleteAlarm();
        await state.storage.deleteAll();
      });
    }
    this.#adopted.clear();
    await runInDurableObject(this.dispatcher(), (_instance, state) => state.storage.deleteAlarm());
  }

  /** Hands the consumer what was sent. @returns what became of each message */
  async consume(bodies: readonly unknown[]): Promise<string[]> {
    for (const body of bodies) {
      const { success, data } = WebhookMessage.safeParse(body);
      if (success && data.kind === "wake_endpoint") await this.adopt(data.endpoint_id);
    }
    const ends = bodies.map(() => "nothing");
    const messages = bodies.map((body, at) => ({
      id: String(at),
      body,
      attempts: 1,
      ack: () => (ends[at] = "acknowledged"),
      retry: () => (ends[at] = "retried"),
    }));
    await consumeWebhooks({ queue: "webhooks", messages } as unknown as MessageBatch, bindings);
    return ends;
  }

  /** Says to endpoints that they have something to do. */
  wake(...ids: readonly string[]): Promise<string[]> {
    return this.consume(ids.map((id) => ({ kind: "wake_endpoint", endpoint_id: id })));
  }

  async aReceiver(answer: Answer): Promise<SeededEndpoint> {
    const host = `hooks-${crypto.randomUUID()}.example.com`;
    this.receivers[host] = answer;
    return anEndpoint(this.db, { url: `https://${host}/in` });
  }

  async statusesOf({ id }: { readonly id: string }): Promise<string[]> {
    return (await storedDeliveries(this.db, id)).map(({ status }) => status);
  }
}

/** For every test of a file a new one. */
export function useWebhookObjects(): WebhookObjects {
  const objects = new WebhookObjects();
  beforeEach(async () => {
    Object.assign(objects, { database: await createTestDatabase(), sent: [], receivers: {}, onSend: () => undefined });
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const network = globalThis.fetch;
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = new Request(input as RequestInfo, init as RequestInit);
      const { host, searchParams } = new URL(request.url);
      if (host === "cloudflare-dns.com")
        return Response.json({ Status: 0, Answer: searchParams.get("type") === "A" ? [{ type: 1, data: "1.1.1.1" }] : [] });
      const receiver = objects.receivers[host];
      if (receiver === undefined) return network(input as RequestInfo, init as RequestInit);
      return receiver({ url: request.url, headers: request.headers, body: await request.text(), signal: init?.signal as AbortSignal });
    });
  });
  afterEach(async () => {
    await objects.forget();
    vi.restoreAllMocks();
  });
  return objects;
}
