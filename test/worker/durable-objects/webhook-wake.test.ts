/// <reference types="@cloudflare/vitest-plugin/types" />
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { consumeIngest } from "../../../queues/ingest.ts";
import type { Env } from "../../../src/env.ts";
import { wakeOutboxReaders } from "../../../src/ports/wake-outbox-readers.ts";
import { anEndpoint, someEvents } from "../../support/seed/webhooks.ts";
import { useWebhookObjects } from "../../support/webhooks/objects.ts";

const bindings = env as Env;
const objects = useWebhookObjects();
/** Far beyond the time that a test has. */
const LATER_MS = 3_600_000;

/** A reader that is there, or is not. */
const reader = (wake: () => Promise<void>) => ({ idFromName: (name: string) => name, get: () => ({ wake }) });
const away = reader(() => Promise.reject(new Error("away")));
/** What publishers have, without a stream that answers. */
const publisher = (facts: object = {}) => ({ ...bindings, EVENT_STREAM: away, ...facts }) as unknown as Env;

/** The dispatcher has read everything, and would look again much later. */
async function atRest(): Promise<void> {
  await objects.dispatch();
  await runInDurableObject(objects.dispatcher(), (_instance, state) => state.storage.setAlarm(Date.now() + LATER_MS));
}

const alarmAt = () => runInDurableObject(objects.dispatcher(), (_instance, state) => state.storage.getAlarm());

test("an event's delivery begins when its publisher calls, and does not wait for the next look; a stream that is away is no hindrance", async () => {
  const { id } = await anEndpoint(objects.db);
  await atRest();
  await someEvents(objects.db, [{}]);
  expect(objects.woken()).toEqual([]);
  await wakeOutboxReaders(publisher());
  await expect.poll(() => objects.woken(), { timeout: 15_000 }).toEqual([id]);
});

test("who consumes the ingest queue calls", async () => {
  const woken: string[] = [];
  const noting = (name: string) => reader(async () => void woken.push(name));
  const readers = { EVENT_STREAM: noting("stream"), WEBHOOK_DISPATCHER: noting("dispatcher") };
  await consumeIngest({ queue: "ingest", messages: [] } as unknown as MessageBatch, publisher(readers));
  expect(woken.sort()).toEqual(["dispatcher", "stream"]);
});

test("a call that fails is no failure of who publishes, and the dispatcher's own look finds what it was about", async () => {
  const { id } = await anEndpoint(objects.db);
  await atRest();
  await someEvents(objects.db, [{}]);
  await wakeOutboxReaders(publisher({ WEBHOOK_DISPATCHER: away }));
  await wakeOutboxReaders(publisher({ WEBHOOK_DISPATCHER: undefined }));
  expect(await alarmAt()).toBeGreaterThan(Date.now() + LATER_MS / 2);
  await objects.dispatch();
  expect(objects.woken()).toEqual([id]);
});

test("what was committed beside an older transaction is told once that has ended, without another call", async () => {
  const { id } = await anEndpoint(objects.db);
  await atRest();
  const session = await objects.database.openPool().connect();
  await session.query("begin; select pg_current_xact_id()");
  await someEvents(objects.db, [{}]);
  expect(((await objects.look()) ?? Infinity) - Date.now()).toBeLessThanOrEqual(1_000);
  expect(objects.woken()).toEqual([]);
  await session.query("commit");
  session.release();
  await expect.poll(() => objects.woken(), { timeout: 15_000 }).toEqual([id]);
});

test("with endpoints it looks again at the next sweep, and without any no more often than it is called", async () => {
  const restMs = async () => ((await objects.dispatch()) ?? 0) - Date.now();
  const unused = await restMs();
  expect(unused).toBeGreaterThan(50_000);
  const { id } = await anEndpoint(objects.db);
  const used = await restMs();
  expect(used).toBeGreaterThan(10_000);
  expect(used).toBeLessThanOrEqual(15_000);
  await someEvents(objects.db, [{}]);
  expect(await restMs()).toBeLessThanOrEqual(15_000);
  expect(objects.woken()).toEqual([id]);
});
