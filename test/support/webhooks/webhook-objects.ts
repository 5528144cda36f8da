/// <reference types="@cloudflare/vitest-plugin/types" />
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, vi } from "vitest";
import { consumeWebhooks } from "../../../queues/consume-webhooks.ts";
import type { Env } from "../../../src/env.ts";
import { WebhookMessage } from "../../../src/messages/webhook-message.ts";
import { findVerificationObject } from "../../../src/platform/objects/webhook-ports.ts";
import { createTestDatabase, type TestDatabase } from "../database/database.ts";
import { anEndpoint, untilReadable, type SeededEndpoint } from "../seed/webhooks.ts";
import { storedDeliveries, type ReceiverBehavior } from "./drain-settings.ts";

const bindings = env as Env;

/** A message that the objects have sent, with its delay in seconds. */
export interface SentWebhookMessage {
  readonly message: WebhookMessage;
  readonly delaySeconds: number | null;
}

/** The webhook objects over the test's own database, with a recording queue and scripted receivers. */
export class WebhookObjects {
  database!: TestDatabase;
  sent: SentWebhookMessage[] = [];
  /** By host; all names resolve to a public address. */
  receivers: Record<string, ReceiverBehavior> = {};
  readonly #adopted = new Set<string>();
  /** Called on every send, before it is recorded. */
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
        send: async (body: unknown, options?: { delaySeconds: number }) =>
          this.#take(body, options?.delaySeconds ?? null),
        sendBatch: async (messages: { body: unknown }[]) => messages.forEach(({ body }) => this.#take(body, null)),
      },
    };
  }

  #take(body: unknown, delaySeconds: number | null): void {
    this.onSend();
    this.sent.push({ message: WebhookMessage.parse(body), delaySeconds });
  }

  /** Ids of the endpoints that have been woken. */
  woken(): string[] {
    return this.sent.flatMap(({ message }) => (message.kind === "wake_endpoint" ? [message.endpoint_id] : []));
  }

  dispatcher() {
    return bindings.WEBHOOK_DISPATCHER.get(bindings.WEBHOOK_DISPATCHER.idFromName("dispatcher"));
  }

  /** Runs the dispatcher's alarm once. @returns the time of its next run */
  runDispatcher(): Promise<number | null> {
    return runInDurableObject(this.dispatcher(), async (instance, state) => {
      Reflect.set(instance, "env", this.settings());
      await instance.alarm();
      return state.storage.getAlarm();
    });
  }

  /**
   * The same once all events can be read, with the alarm deleted afterwards. @returns the time of its next
   * run
   */
  async runDispatcherToEnd(): Promise<number | null> {
    await untilReadable(this.db);
    const next = await this.runDispatcher();
    await runInDurableObject(this.dispatcher(), (_instance, state) => state.storage.deleteAlarm());
    return next;
  }

  /** Runs an endpoint's alarm once. @returns the time of its next run; null when none is set */
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

  /** Connects an endpoint's current object to the test's database. */
  async adopt(id: string): Promise<void> {
    this.#adopted.add(id);
    await runInDurableObject(this.objectOf(id), (instance) => void Reflect.set(instance, "env", this.settings()));
  }

  /** Connects the object of a verification attempt to the test's database and this queue. */
  async adoptVerifier(attemptId: string, queue: Env["WEBHOOKS_QUEUE"]): Promise<void> {
    const settings = { ...this.settings(), WEBHOOKS_QUEUE: queue };
    await runInDurableObject(
      findVerificationObject(bindings, attemptId),
      (instance) => void Reflect.set(instance, "env", settings),
    );
  }

  /** Ends the objects and deletes their storage: endpoints of other tests have the same ids. */
  async reset(): Promise<void> {
    // Comes first: an alarm that is changed while it runs counts as failed, and the next may run seconds
    // later.
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

  /** Passes messages to the consumer. @returns what happened to each message */
  async consume(bodies: readonly unknown[]): Promise<string[]> {
    for (const body of bodies) {
      const { success, data } = WebhookMessage.safeParse(body);
      if (success && data.kind === "wake_endpoint") await this.adopt(data.endpoint_id);
    }
    const outcomes = bodies.map(() => "nothing");
    const messages = bodies.map((body, index) => ({
      id: String(index),
      body,
      attempts: 1,
      ack: () => (outcomes[index] = "acknowledged"),
      retry: () => (outcomes[index] = "retried"),
    }));
    await consumeWebhooks({ queue: "webhooks", messages } as unknown as MessageBatch, bindings);
    return outcomes;
  }

  /** Sends wake messages of these endpoints to the consumer. */
  wake(...ids: readonly string[]): Promise<string[]> {
    return this.consume(ids.map((id) => ({ kind: "wake_endpoint", endpoint_id: id })));
  }

  async aReceiver(answer: ReceiverBehavior): Promise<SeededEndpoint> {
    const host = `hooks-${crypto.randomUUID()}.example.com`;
    this.receivers[host] = answer;
    return anEndpoint(this.db, { url: `https://${host}/in` });
  }

  async statusesOf({ id }: { readonly id: string }): Promise<string[]> {
    return (await storedDeliveries(this.db, id)).map(({ status }) => status);
  }
}

/** Creates new objects for every test of a file. */
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
        return Response.json({
          Status: 0,
          Answer: searchParams.get("type") === "A" ? [{ type: 1, data: "1.1.1.1" }] : [],
        });
      const receiver = objects.receivers[host];
      if (receiver === undefined) return network(input as RequestInfo, init as RequestInit);
      return receiver({
        url: request.url,
        headers: request.headers,
        body: await request.text(),
        signal: init?.signal as AbortSignal,
      });
    });
  });
  afterEach(async () => {
    await objects.reset();
    vi.restoreAllMocks();
  });
  return objects;
}
