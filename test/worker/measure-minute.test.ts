import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { jobHeartbeats } from "../../src/db/schema.ts";
import type { Env } from "../../src/env.ts";
import { HEARTBEATS } from "../../src/jobs/heartbeats.ts";
import { measureMinute } from "../../src/measure-minute.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";

let database: TestDatabase;
let points: { readonly blobs: readonly string[]; readonly doubles: readonly number[] }[];

beforeEach(async () => {
  database = await createTestDatabase();
  points = [];
});

// The bindings come from wrangler.toml, which the test runtime reads; the dataset keeps its points.
function measure(settings: object = {}): Promise<void> {
  const METRICS = { writeDataPoint: (point: object) => void points.push(point as (typeof points)[number]) };
  const settled = { DATABASE_URL: database.databaseUrl, METRICS, ...settings };
  return measureMinute({ ...(env as Env), ...settled }, Date.now);
}

async function history() {
  const { rows } = await database.db.execute(
    "select status, is_cache_up, is_webhook_compatible, is_schema_current, healthy_jobs from health_minutes",
  );
  return rows;
}

const numbersOf = (name: string) => points.filter(({ blobs }) => blobs[0] === name).map(({ doubles }) => doubles);

test("a minute's health is stored once, as health judges it", async () => {
  await database.db
    .insert(jobHeartbeats)
    .values(HEARTBEATS.map(({ name }) => ({ job: name, succeededAt: new Date() })));
  vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
  await measure();
  await measure();
  vi.useRealTimers();
  const all = { is_cache_up: true, is_webhook_compatible: true, is_schema_current: true };
  expect(await history()).toEqual([{ status: "ok", ...all, healthy_jobs: HEARTBEATS.length }]);
  expect(numbersOf("age").length).toBeGreaterThan(HEARTBEATS.length);
});

test("without a heartbeat the minute is down, without the cache as well, and in maintenance it is not judged", async () => {
  await measure({ UPSTASH_REDIS_REST_URL: "http://127.0.0.1:1" });
  const [row] = await history();
  expect(row).toMatchObject({ status: "down", is_cache_up: false, is_schema_current: true, healthy_jobs: 0 });
  await database.db.execute("delete from health_minutes");
  await measure({ MAINTENANCE: "on" });
  expect(await history()).toEqual([
    {
      status: "maintenance",
      is_cache_up: null,
      is_webhook_compatible: null,
      is_schema_current: null,
      healthy_jobs: null,
    },
  ]);
});

test("a database that answers after three seconds is down in the history, and its ages are measured", async () => {
  await database.db
    .insert(jobHeartbeats)
    .values(HEARTBEATS.map(({ name }) => ({ job: name, succeededAt: new Date() })));
  const holder = await database.openPool().connect();
  await holder.query("begin");
  await holder.query("lock table job_heartbeats in access exclusive mode");
  const measuring = measure();
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  await holder.query("commit");
  holder.release();
  await measuring;
  expect(await history()).toMatchObject([{ status: "down", is_cache_up: true }]);
  expect(numbersOf("age").length).toBeGreaterThan(HEARTBEATS.length);
});

test("sessions that wait for a lock are measured, with the time of the longest", async () => {
  await measure();
  const [holder, waiter] = [await database.openPool().connect(), await database.openPool().connect()];
  await holder.query("select pg_advisory_lock(1)");
  const waiting = waiter.query("select pg_advisory_lock(1)");
  await vi.waitFor(async () => {
    await measure();
    expect(numbersOf("lock_wait").at(-1)?.[1]).toBe(1);
  });
  await holder.query("select pg_advisory_unlock(1)");
  await waiting;
  for (const client of [holder, waiter]) client.release(true);
  await measure();
  const measured = numbersOf("lock_wait");
  expect(measured[0]).toEqual([0, 0]);
  expect(measured.at(-2)?.[0]).toBeGreaterThan(0);
  expect(measured.at(-1)).toEqual([0, 0]);
});

test("without the database nothing is measured, and nothing fails", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  await measure({ DATABASE_URL: "postgres://user:none@127.0.0.1:1/none" });
  expect([points, await history()]).toEqual([[], []]);
  expect(warn).toHaveBeenCalled();
  warn.mockRestore();
});
