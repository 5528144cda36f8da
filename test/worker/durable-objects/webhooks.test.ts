/// <reference types="@cloudflare/vitest-plugin/types" />
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { consumeWebhooks } from "../../../queues/consume-webhooks.ts";
import type { Env } from "../../../src/env.ts";
import { someDeliveries, someEvents } from "../../support/seed/webhooks.ts";
import { hang, storedDeliveries } from "../../support/webhooks/drain-settings.ts";
import { useWebhookObjects } from "../../support/webhooks/webhook-objects.ts";

const bindings = env as Env;
const objects = useWebhookObjects();

const tenOf = (status: string) => Array.from({ length: 10 }, () => status);

test("two endpoints receive all ten events at once while a third hangs with four attempts in flight", async () => {
  const fine = [
    await objects.aReceiver(() => new Response()),
    await objects.aReceiver(() => new Response(null, { status: 204 })),
  ];
  let hanging = 0;
  const stuck = await objects.aReceiver((request) => (hanging++, hang(request)));
  await someEvents(
    objects.db,
    Array.from({ length: 10 }, () => ({})),
  );
  await objects.runDispatcherToEnd();
  const ids = [...fine, stuck].map(({ id }) => id);
  expect(objects.woken().sort()).toEqual(ids.toSorted());
  const startedAt = Date.now();
  // The hanging endpoint is woken first.
  expect(await objects.wake(...[stuck, ...fine].map(({ id }) => id))).toEqual(ids.map(() => "acknowledged"));
  for (const endpoint of fine)
    await expect.poll(() => objects.statusesOf(endpoint), { timeout: 8_000 }).toEqual(tenOf("delivered"));
  // Well before the 15 second timeout of an attempt at the hanging endpoint.
  expect(Date.now() - startedAt).toBeLessThan(9_000);
  expect(hanging).toBe(4);
  expect((await objects.statusesOf(stuck)).sort()).toEqual([
    ...Array(6).fill("pending"),
    ...Array(4).fill("processing"),
  ]);
});

test("a new event for an endpoint does not wait for its hanging attempt", async () => {
  const bodies: string[] = [];
  const endpoint = await objects.aReceiver(
    (request) => (bodies.push(request.body), bodies.length === 1 ? hang(request) : new Response()),
  );
  await someDeliveries(objects.db, endpoint.id, 1);
  await objects.wake(endpoint.id);
  await expect.poll(() => bodies.length).toBe(1);
  await someDeliveries(objects.db, endpoint.id, 1);
  await objects.wake(endpoint.id);
  await expect.poll(() => objects.statusesOf(endpoint), { timeout: 5_000 }).toEqual(["processing", "delivered"]);
});

test("deliveries that a dead object had in flight are found by the sweep after their lease and delivered", async () => {
  let posted = 0;
  const endpoint = await objects.aReceiver((request) => (++posted <= 4 ? hang(request) : new Response()));
  await someEvents(
    objects.db,
    Array.from({ length: 10 }, () => ({})),
  );
  await objects.runDispatcherToEnd();
  await objects.wake(endpoint.id);
  await expect.poll(() => posted).toBe(4);
  await abortAllDurableObjects();
  // The wake message of the pending deliveries is lost as well.
  await objects.db.execute(
    sql`update webhook_deliveries set next_attempt_at = next_attempt_at - interval '31 s', lease_until = lease_until - interval '45 s'`,
  );
  objects.sent = [];
  await objects.runDispatcherToEnd();
  expect(objects.woken()).toEqual([endpoint.id]);
  await objects.consume(objects.sent.map(({ message }) => message));
  await expect.poll(() => objects.statusesOf(endpoint), { timeout: 8_000 }).toEqual(tenOf("delivered"));
  expect(posted).toBe(14);
});

test("a failed attempt enqueues a wake message for its retry time and sets the object's alarm", async () => {
  const endpoint = await objects.aReceiver(() => new Response(null, { status: 503 }));
  await someDeliveries(objects.db, endpoint.id, 1);
  await objects.wake(endpoint.id);
  await expect.poll(() => objects.sent, { timeout: 5_000 }).toHaveLength(1);
  expect(objects.sent[0]).toMatchObject({ message: { endpoint_id: endpoint.id } });
  expect(objects.sent[0]?.delaySeconds).toBeGreaterThanOrEqual(48);
  expect(objects.sent[0]?.delaySeconds).toBeLessThanOrEqual(72);
  const [row] = await storedDeliveries(objects.db, endpoint.id);
  const alarmAt = () =>
    runInDurableObject(objects.objectOf(endpoint.id), (_instance, state) => state.storage.getAlarm());
  await expect.poll(alarmAt).toBe(row?.nextAttemptAt?.getTime());
});

test("an endpoint without pending deliveries sets no alarm", async () => {
  const endpoint = await objects.aReceiver(() => new Response());
  await someDeliveries(objects.db, endpoint.id, 3);
  await objects.wake(endpoint.id);
  await expect.poll(() => objects.statusesOf(endpoint), { timeout: 5_000 }).toEqual(Array(3).fill("delivered"));
  await expect
    .poll(() => runInDurableObject(objects.objectOf(endpoint.id), (_instance, state) => state.storage.getAlarm()))
    .toBeNull();
});

test("a dispatcher enqueues overdue challenges and deletes attempts and deliveries older than a week", async () => {
  const endpoint = await objects.aReceiver(() => new Response());
  const overdue = crypto.randomUUID();
  await objects.db
    .execute(sql`insert into webhook_verification_attempts (id, endpoint_id, state, expires_at, next_attempt_at, created_at)
    values (${overdue}, ${endpoint.id}::bigint, 'queued', now() + interval '10 min', now() - interval '10 s', now()),
      (${crypto.randomUUID()}, ${endpoint.id}::bigint, 'failed', now(), null, now() - interval '8 days')`);
  await someDeliveries(objects.db, endpoint.id, 1, {
    status: "delivered",
    createdAt: new Date(Date.now() - 8 * 86_400_000),
  });
  await objects.runDispatcherToEnd();
  expect(objects.sent.map(({ message }) => message)).toEqual([{ kind: "verify_receiver", attempt_id: overdue }]);
  expect((await objects.db.execute(sql`select id from webhook_verification_attempts`)).rows).toEqual([{ id: overdue }]);
  expect(await objects.statusesOf(endpoint)).toEqual([]);
});

test("a sweep deletes more old deliveries than one statement takes", async () => {
  const { id } = await objects.aReceiver(() => new Response());
  await objects.db
    .execute(sql`insert into webhook_deliveries (endpoint_id, event_id, event_type, body, status, created_at)
    select ${id}::bigint, 'evt_1_' || n, 'trader_synced', '{}', 'delivered', now() - interval '8 days' from generate_series(1, 5200) n`);
  await objects.runDispatcherToEnd();
  expect(await objects.statusesOf({ id })).toEqual([]);
});

test("a working dispatcher records a heartbeat, and a failing one its error and a retry", async () => {
  await objects.runDispatcherToEnd();
  const heartbeats = async () =>
    (
      await objects.db.execute(
        sql`select succeeded_at is not null as ok, last_error from job_heartbeats where job = 'webhook_fan_out'`,
      )
    ).rows;
  expect(await heartbeats()).toEqual([{ ok: true, last_error: null }]);
  await objects.db.execute(sql`alter table webhook_endpoints rename to hidden`);
  await someEvents(objects.db, [{}]);
  const next = await objects.runDispatcherToEnd();
  expect(await heartbeats()).toEqual([{ ok: true, last_error: expect.stringContaining("webhook_endpoints") }]);
  expect(next).toBeGreaterThan(Date.now());
});

test("an invalid message is dropped, and a message whose object fails is retried", async () => {
  expect(await objects.consume([{ kind: "sync_trader" }])).toEqual(["acknowledged"]);
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
