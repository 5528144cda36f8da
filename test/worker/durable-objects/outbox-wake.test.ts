/// <reference types="@cloudflare/vitest-plugin/types" />
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { consumeIngest } from "../../../queues/consume-ingest.ts";
import type { Env } from "../../../src/env.ts";
import { wakeOutboxReaders } from "../../../src/platform/objects/wake-outbox-readers.ts";
import { anEndpoint, someEvents } from "../../support/seed/webhooks.ts";
import { useWebhookObjects } from "../../support/webhooks/webhook-objects.ts";

const bindings = env as Env;
const objects = useWebhookObjects();
/** Far longer than a test runs. */
const LATER_MS = 3_600_000;

/** A binding of a reader that can be woken or fails. */
const reader = (wake: () => Promise<void>) => ({ idFromName: (name: string) => name, get: () => ({ wake }) });
const unavailable = reader(() => Promise.reject(new Error("away")));
/** The bindings of a publisher whose stream does not respond. */
const publisher = (facts: object = {}) => ({ ...bindings, EVENT_STREAM: unavailable, ...facts }) as unknown as Env;

/** Leaves the dispatcher without unread events and with its next alarm far ahead. */
async function drainAndPause(): Promise<void> {
  await objects.runDispatcherToEnd();
  await runInDurableObject(objects.dispatcher(), (_instance, state) => state.storage.setAlarm(Date.now() + LATER_MS));
}

const alarmAt = () => runInDurableObject(objects.dispatcher(), (_instance, state) => state.storage.getAlarm());

test("a publisher's wake call starts an event's delivery before the dispatcher's alarm, even if the stream fails", async () => {
  const { id } = await anEndpoint(objects.db);
  await drainAndPause();
  await someEvents(objects.db, [{}]);
  expect(objects.woken()).toEqual([]);
  await wakeOutboxReaders(publisher());
  await expect.poll(() => objects.woken(), { timeout: 15_000 }).toEqual([id]);
});

test("the ingest consumer wakes both readers", async () => {
  const woken: string[] = [];
  const recording = (name: string) => reader(async () => void woken.push(name));
  const readers = { EVENT_STREAM: recording("stream"), WEBHOOK_DISPATCHER: recording("dispatcher") };
  await consumeIngest({ queue: "ingest", messages: [] } as unknown as MessageBatch, publisher(readers));
  expect(woken.sort()).toEqual(["dispatcher", "stream"]);
});

test("a failed wake call does not fail the publisher, and the dispatcher's next run finds the event", async () => {
  const { id } = await anEndpoint(objects.db);
  await drainAndPause();
  await someEvents(objects.db, [{}]);
  await wakeOutboxReaders(publisher({ WEBHOOK_DISPATCHER: unavailable }));
  await wakeOutboxReaders(publisher({ WEBHOOK_DISPATCHER: undefined }));
  expect(await alarmAt()).toBeGreaterThan(Date.now() + LATER_MS / 2);
  await objects.runDispatcherToEnd();
  expect(objects.woken()).toEqual([id]);
});

test("an event committed beside an older open transaction is delivered after that one ends, without another call", async () => {
  const { id } = await anEndpoint(objects.db);
  await drainAndPause();
  const session = await objects.database.openPool().connect();
  await session.query("begin; select pg_current_xact_id()");
  await someEvents(objects.db, [{}]);
  expect(((await objects.runDispatcher()) ?? Infinity) - Date.now()).toBeLessThanOrEqual(1_000);
  expect(objects.woken()).toEqual([]);
  await session.query("commit");
  session.release();
  await expect.poll(() => objects.woken(), { timeout: 15_000 }).toEqual([id]);
});

test("a dispatcher runs again at the next sweep with endpoints, and seldom without", async () => {
  const nextRunInMs = async () => ((await objects.runDispatcherToEnd()) ?? 0) - Date.now();
  const withoutEndpoints = await nextRunInMs();
  expect(withoutEndpoints).toBeGreaterThan(50_000);
  const { id } = await anEndpoint(objects.db);
  const withEndpoints = await nextRunInMs();
  expect(withEndpoints).toBeGreaterThan(10_000);
  expect(withEndpoints).toBeLessThanOrEqual(15_000);
  await someEvents(objects.db, [{}]);
  expect(await nextRunInMs()).toBeLessThanOrEqual(15_000);
  expect(objects.woken()).toEqual([id]);
});
