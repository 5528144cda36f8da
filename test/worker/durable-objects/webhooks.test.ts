/// <reference types="@cloudflare/vitest-plugin/types" />
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { consumeWebhooks } from "../../../queues/webhooks.ts";
import type { Env } from "../../../src/env.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { anEndpoint, someDeliveries, someEvents, untilReadable, type SeededEndpoint } from "../../support/seed/webhooks.ts";
import { hang, storedDeliveries, type Answer } from "../../support/webhooks/delivering.ts";

const bindings = env as Env;
const WakeMessage = z.object({ kind: z.literal("wake_endpoint"), endpoint_id: z.string() });

let database: TestDatabase;
/** What the dispatcher and the endpoints have sent, with the delay of each message in seconds. */
let sent: { message: z.output<typeof WakeMessage>; delaySeconds: number | null }[];
/** By host; names resolve to a public address. */
let receivers: Record<string, Answer>;

beforeEach(async () => {
  database = await createTestDatabase();
  sent = [];
  receivers = {};
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const network = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input as RequestInfo, init as RequestInit);
    const { host, searchParams } = new URL(request.url);
    if (host === "cloudflare-dns.com")
      return Response.json({ Status: 0, Answer: searchParams.get("type") === "A" ? [{ type: 1, data: "1.1.1.1" }] : [] });
    const receiver = receivers[host];
    if (receiver === undefined) return network(input as RequestInfo, init as RequestInit);
    return receiver({ url: request.url, headers: request.headers, body: await request.text(), signal: init?.signal as AbortSignal });
  });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await abortAllDurableObjects();
});

const take = (body: unknown, delaySeconds: number | null = null) => void sent.push({ message: WakeMessage.parse(body), delaySeconds });

/** The bindings with the test's database, and a queue that only remembers. */
const settings = () => ({
  ...bindings,
  DATABASE_URL: database.databaseUrl,
  WEBHOOKS_QUEUE: {
    send: async (body: unknown, options: { delaySeconds: number }) => take(body, options.delaySeconds),
    sendBatch: async (messages: { body: unknown }[]) => messages.forEach(({ body }) => take(body)),
  },
});

const dispatcher = () => bindings.WEBHOOK_DISPATCHER.get(bindings.WEBHOOK_DISPATCHER.idFromName("dispatcher"));

/** Runs the dispatcher's alarm once. @returns when it would run next */
async function dispatch(): Promise<number | null> {
  await untilReadable(database.db);
  return runInDurableObject(dispatcher(), async (instance, state) => {
    Reflect.set(instance, "env", settings());
    await instance.alarm();
    const next = await state.storage.getAlarm();
    await state.storage.deleteAlarm();
    return next;
  });
}

const objectOf = (id: string) => bindings.WEBHOOK_ENDPOINT.get(bindings.WEBHOOK_ENDPOINT.idFromName(`endpoint:${id}`));

/** Hands the consumer what was sent. @returns what became of each message */
async function consume(bodies: readonly unknown[]): Promise<string[]> {
  for (const body of bodies) {
    const { success, data } = WakeMessage.safeParse(body);
    if (success) await runInDurableObject(objectOf(data.endpoint_id), (instance) => void Reflect.set(instance, "env", settings()));
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

const hostOf = (url: string) => new URL(url).host;

async function aReceiver(answer: Answer): Promise<SeededEndpoint> {
  const url = `https://hooks-${crypto.randomUUID()}.example.com/in`;
  receivers[hostOf(url)] = answer;
  return anEndpoint(database.db, { url });
}

const statusesOf = async ({ id }: SeededEndpoint) => (await storedDeliveries(database.db, id)).map(({ status }) => status);
const tenOf = (status: string) => Array.from({ length: 10 }, () => status);

test("of three endpoints one hangs: the others have all ten events at once, and it has four attempts under way", async () => {
  const fine = [await aReceiver(() => new Response()), await aReceiver(() => new Response(null, { status: 204 }))];
  let hanging = 0;
  const stuck = await aReceiver((request) => (hanging++, hang(request)));
  await someEvents(
    database.db,
    Array.from({ length: 10 }, () => ({})),
  );
  await dispatch();
  const ids = [...fine, stuck].map(({ id }) => id);
  expect(sent.map(({ message }) => message.endpoint_id).sort()).toEqual(ids.toSorted());
  const startedAt = Date.now();
  // The one that hangs first.
  expect(await consume([stuck, ...fine].map(({ id }) => ({ kind: "wake_endpoint", endpoint_id: id })))).toEqual(
    ids.map(() => "acknowledged"),
  );
  for (const endpoint of fine) await expect.poll(() => statusesOf(endpoint), { timeout: 8_000 }).toEqual(tenOf("delivered"));
  // Well before the 15 seconds that one attempt at the other takes.
  expect(Date.now() - startedAt).toBeLessThan(9_000);
  expect(hanging).toBe(4);
  expect((await statusesOf(stuck)).sort()).toEqual([...Array(6).fill("pending"), ...Array(4).fill("processing")]);
});

test("an event for an endpoint whose attempt hangs does not wait for that attempt", async () => {
  const bodies: string[] = [];
  const endpoint = await aReceiver((request) => (bodies.push(request.body), bodies.length === 1 ? hang(request) : new Response()));
  await someDeliveries(database.db, endpoint.id, 1);
  await consume([{ kind: "wake_endpoint", endpoint_id: endpoint.id }]);
  await expect.poll(() => bodies.length).toBe(1);
  await someDeliveries(database.db, endpoint.id, 1);
  await consume([{ kind: "wake_endpoint", endpoint_id: endpoint.id }]);
  await expect.poll(() => statusesOf(endpoint), { timeout: 5_000 }).toEqual(["processing", "delivered"]);
});

test("what an object that died had under way is found by the sweep once its lease has ended, and delivered", async () => {
  let posted = 0;
  const endpoint = await aReceiver((request) => (++posted <= 4 ? hang(request) : new Response()));
  await someEvents(
    database.db,
    Array.from({ length: 10 }, () => ({})),
  );
  await dispatch();
  await consume([{ kind: "wake_endpoint", endpoint_id: endpoint.id }]);
  await expect.poll(() => posted).toBe(4);
  await abortAllDurableObjects();
  // The message of those that nobody began is lost, too.
  await database.db.execute(
    sql`update webhook_deliveries set next_attempt_at = next_attempt_at - interval '31 s', lease_until = lease_until - interval '45 s'`,
  );
  sent = [];
  await dispatch();
  expect(sent.map(({ message }) => message.endpoint_id)).toEqual([endpoint.id]);
  await consume(sent.map(({ message }) => message));
  await expect.poll(() => statusesOf(endpoint), { timeout: 8_000 }).toEqual(tenOf("delivered"));
  expect(posted).toBe(14);
});

test("a failed attempt is announced for its time, and the object's alarm is set for it", async () => {
  const endpoint = await aReceiver(() => new Response(null, { status: 503 }));
  await someDeliveries(database.db, endpoint.id, 1);
  await consume([{ kind: "wake_endpoint", endpoint_id: endpoint.id }]);
  await expect.poll(() => sent, { timeout: 5_000 }).toHaveLength(1);
  expect(sent[0]).toMatchObject({ message: { endpoint_id: endpoint.id } });
  expect(sent[0]?.delaySeconds).toBeGreaterThanOrEqual(48);
  expect(sent[0]?.delaySeconds).toBeLessThanOrEqual(72);
  const [row] = await storedDeliveries(database.db, endpoint.id);
  const alarmAt = () => runInDurableObject(objectOf(endpoint.id), (_instance, state) => state.storage.getAlarm());
  await expect.poll(alarmAt).toBe(row?.nextAttemptAt?.getTime());
});

test("an endpoint with nothing left sets no alarm", async () => {
  const endpoint = await aReceiver(() => new Response());
  await someDeliveries(database.db, endpoint.id, 3);
  await consume([{ kind: "wake_endpoint", endpoint_id: endpoint.id }]);
  await expect.poll(() => statusesOf(endpoint), { timeout: 5_000 }).toEqual(Array(3).fill("delivered"));
  await expect.poll(() => runInDurableObject(objectOf(endpoint.id), (_instance, state) => state.storage.getAlarm())).toBeNull();
});

test("a dispatcher that works beats; one that cannot says why, and tries again", async () => {
  await dispatch();
  const beats = async () =>
    (await database.db.execute(sql`select succeeded_at is not null as ok, last_error from job_heartbeats where job = 'webhook_fan_out'`))
      .rows;
  expect(await beats()).toEqual([{ ok: true, last_error: null }]);
  await database.db.execute(sql`alter table webhook_endpoints rename to hidden`);
  await someEvents(database.db, [{}]);
  const next = await dispatch();
  expect(await beats()).toEqual([{ ok: true, last_error: expect.stringContaining("webhook_endpoints") }]);
  expect(next).toBeGreaterThan(Date.now());
});

test("a message that is none is dropped, and one whose object fails comes again", async () => {
  expect(await consume([{ kind: "sync_wallet" }])).toEqual(["acknowledged"]);
  const failing = {
    ...bindings,
    WEBHOOK_ENDPOINT: { idFromName: () => "", get: () => ({ wake: () => Promise.reject(new Error("away")) }) },
  } as unknown as Env;
  const ends: unknown[] = [];
  const message = {
    id: "1",
    body: { kind: "wake_endpoint", endpoint_id: "1" },
    attempts: 3,
    ack: () => ends.push("ack"),
    retry: (options: unknown) => ends.push(options),
  };
  await consumeWebhooks({ queue: "webhooks", messages: [message] } as unknown as MessageBatch, failing);
  expect(ends).toEqual([{ delaySeconds: 4 }]);
});
