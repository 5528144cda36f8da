import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { jobHeartbeats } from "../../../../src/db/schema.ts";
import type { Database } from "../../../../src/db/client.ts";
import { listHeartbeats } from "../../../../src/jobs/heartbeats.ts";
import { listPausedJobs } from "../../../../src/jobs/registry.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { fanOut } from "../../../../src/webhooks/fan-out/fan-out.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { openFreshApi, type FreshApi } from "../../../support/api/fresh-api.ts";
import { openKernel, openTestRuntime } from "../../../support/kernel/open-kernel.ts";
import { someEvents, untilReadable } from "../../../support/seed/webhooks.ts";

const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** As the test variables: without the settings of optional jobs. */
const SETTINGS = { heavyJobs: true, archiveSigningKey: "key", archiveRetentionDays: null, iceberg: null, chain: null };
const EXPECTED = listHeartbeats(SETTINGS);

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

let fresh: FreshApi;

beforeEach(async () => {
  fresh = await openFreshApi();
  await fresh.db.insert(jobHeartbeats).values(EXPECTED.map((job) => ({ job: job.name, succeededAt: new Date() })));
});

/** The webhook health and the overall status. */
async function webhooks(): Promise<[boolean, string]> {
  const { data } = (await fresh.api.get("/api/v1/health")).body;
  return [data.subsystems.webhook_compatibility, data.status];
}

const WORKS = [true, "ok"];
const DELAYED = [false, "degraded"];

/** Runs the fan-out until it finds no more events. */
async function fanOutAll(): Promise<void> {
  await untilReadable(fresh.db);
  while ((await fanOut(fresh.db, new Date(), LOG)).more);
}

describe("database_schema", () => {
  const schema = async () => {
    const { data } = (await fresh.api.get("/api/v1/health")).body;
    return [data.subsystems.database_schema, data.status];
  };

  test("database_schema is false while the newest migration of the build is missing, and health is degraded", async () => {
    expect(await schema()).toEqual([true, "ok"]);
    await fresh.db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at - 1`);
    expect(await schema()).toEqual([false, "degraded"]);
    await fresh.db.execute(sql`delete from drizzle.__drizzle_migrations`);
    expect(await schema()).toEqual([false, "degraded"]);
  });

  test("database_schema is true with a newer schema than the build's", async () => {
    await fresh.db.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 4102444800000)`,
    );
    expect(await schema()).toEqual([true, "ok"]);
  });
});

describe("webhook_compatibility", () => {
  test("webhook_compatibility is true while the oldest event without fan-out is younger than a minute", async () => {
    expect(await webhooks()).toEqual(WORKS);
    await fanOutAll();
    expect(await webhooks()).toEqual(WORKS);
    await someEvents(fresh.db, [{ createdAt: ago(50) }]);
    expect(await webhooks()).toEqual(WORKS);
    await fanOutAll();
    await someEvents(fresh.db, [{ createdAt: ago(70) }]);
    await someEvents(fresh.db, [{ createdAt: ago(1) }]);
    expect(await webhooks()).toEqual(DELAYED);
    await fanOutAll();
    expect(await webhooks()).toEqual(WORKS);
  });

  test("webhook_compatibility considers all events before webhooks have an outbox offset", async () => {
    await someEvents(fresh.db, [{ createdAt: ago(70) }]);
    expect(await webhooks()).toEqual(DELAYED);
    await fanOutAll();
    expect(await webhooks()).toEqual(WORKS);
  });

  test("webhook_compatibility is false while an open transaction delays an event for more than a minute", async () => {
    await fanOutAll();
    const open = await fresh.openPool().connect();
    await open.query("begin; select pg_current_xact_id()");
    await someEvents(fresh.db, [{ createdAt: ago(70) }]);
    await fanOut(fresh.db, new Date(), LOG);
    expect(await webhooks()).toEqual(DELAYED);
    await open.query("rollback");
    open.release();
    await fanOutAll();
    expect(await webhooks()).toEqual(WORKS);
  });

  test("webhook_compatibility ignores events of an earlier epoch and counts all of a new epoch", async () => {
    await fanOutAll();
    // A restore restarts the transaction ids, so an old offset says nothing about the new epoch's events.
    await fresh.db.execute(sql`update outbox_readers set commit_xid = '9000000000000'`);
    await someEvents(fresh.db, [{ createdAt: ago(70) }]);
    await fresh.db.execute(sql`insert into outbox_epoch (epoch) values (2)`);
    expect(await webhooks()).toEqual(WORKS);
    await someEvents(fresh.db, [{ createdAt: ago(70) }]);
    expect(await webhooks()).toEqual(DELAYED);
    await fanOutAll();
    expect(await webhooks()).toEqual(WORKS);
  });

  test("webhook_compatibility is false without an epoch", async () => {
    await fresh.db.execute(sql`delete from outbox_epoch`);
    expect(await webhooks()).toEqual(DELAYED);
  });
});

describe("background_jobs", () => {
  const healthOf = async () => (await fresh.api.get("/api/v1/health")).body.data;
  const NONE = { stale: 0, missing: 0, invalid: 0, unconfigured: 0, paused: 0 };
  const total = EXPECTED.length;

  test("background_jobs counts every job with a current heartbeat as healthy", async () => {
    const { status, subsystems } = await healthOf();
    expect([status, subsystems.background_jobs]).toEqual([
      "ok",
      { status: "ok", checked: true, total, healthy: total, ...NONE },
    ]);
  });

  test("background_jobs counts stale, missing, invalid and unconfigured jobs without naming them", async () => {
    const succeeded = (job: string, at: Date | null) =>
      fresh.db.update(jobHeartbeats).set({ succeededAt: at }).where(eq(jobHeartbeats.job, job));
    await succeeded("build_flows", ago(181));
    await succeeded("read_taker_trades", ago(181));
    await succeeded("judge_trades", null);
    await succeeded("refresh_books", ago(-120));
    await fresh.db.insert(jobHeartbeats).values({ job: "retired", succeededAt: new Date() });
    const { text, body } = await fresh.api.get("/api/v1/health");
    const counts = {
      status: "degraded",
      checked: true,
      total,
      healthy: total - 4,
      stale: 2,
      missing: 1,
      invalid: 1,
      unconfigured: 1,
      paused: 0,
    };
    expect([body.data.status, body.data.subsystems.background_jobs]).toEqual(["degraded", counts]);
    for (const name of [...EXPECTED.map((job) => job.name), "retired"]) expect(text).not.toContain(`"${name}"`);
  });

  test("the service is down when all jobs are stale although the database responds", async () => {
    await fresh.db.update(jobHeartbeats).set({ succeededAt: ago(86_400) });
    expect(await healthOf()).toMatchObject({
      status: "down",
      db: true,
      subsystems: { background_jobs: { status: "down", total, healthy: 0, stale: total } },
    });
  });
});

describe("heavy jobs off", () => {
  const paused = listPausedJobs({ ...SETTINGS, heavyJobs: false });
  const total = EXPECTED.length;

  /** Health when the running jobs last succeeded this many seconds ago and the paused ones never ran. */
  async function healthAfter(seconds: number) {
    const { databaseUrl, db } = await createTestDatabase();
    const run = EXPECTED.filter(({ name }) => !paused.some((job) => job === name));
    await db.insert(jobHeartbeats).values(run.map(({ name }) => ({ job: name, succeededAt: ago(seconds) })));
    const response = await openKernel(openTestRuntime(databaseUrl, { HEAVY_JOBS: "off" }), OPERATIONS).send(
      "/api/v1/health",
    );
    return response.body.data;
  }

  test("paused heavy jobs degrade the service without taking it down", async () => {
    expect(await healthAfter(0)).toMatchObject({
      status: "degraded",
      db: true,
      cache: true,
      subsystems: {
        background_jobs: {
          status: "degraded",
          checked: true,
          total,
          healthy: total - paused.length,
          missing: 0,
          paused: paused.length,
        },
      },
    });
  });

  test("the service is down when every job that is not paused is stale", async () => {
    expect(await healthAfter(86_400)).toMatchObject({
      status: "down",
      subsystems: { background_jobs: { status: "down", healthy: 0 } },
    });
  });
});

test("without the key that signs the archive its job is paused, and the service is degraded", async () => {
  const { databaseUrl, db } = await createTestDatabase();
  await db.insert(jobHeartbeats).values(EXPECTED.map(({ name }) => ({ job: name, succeededAt: new Date() })));
  const runtime = openTestRuntime(databaseUrl, { ARCHIVE_SIGNING_KEY: "" });
  const { body } = await openKernel(runtime, OPERATIONS).send("/api/v1/health");
  const jobs = { status: "degraded", healthy: EXPECTED.length - 1, missing: 0, paused: 1 };
  expect(body.data).toMatchObject({ status: "degraded", db: true, subsystems: { background_jobs: jobs } });
});

test("a catalog that is not reached degrades the service, and is expected only where one is configured", async () => {
  const { databaseUrl, db } = await createTestDatabase();
  await db.insert(jobHeartbeats).values(EXPECTED.map(({ name }) => ({ job: name, succeededAt: new Date() })));
  const catalog = { ICEBERG_CATALOG_URI: "https://catalog.example.test", ICEBERG_WAREHOUSE: "w", ICEBERG_TOKEN: "t" };
  const health = async (variables: Record<string, string>) =>
    (await openKernel(openTestRuntime(databaseUrl, variables), OPERATIONS).send("/api/v1/health")).body.data;
  expect(await health({})).toMatchObject({ status: "ok" });
  const jobs = { status: "degraded", total: EXPECTED.length + 1, missing: 1, paused: 0 };
  expect(await health(catalog)).toMatchObject({ status: "degraded", subsystems: { background_jobs: jobs } });
  const stale = { ...jobs, missing: 0, stale: 1 };
  await db.insert(jobHeartbeats).values({ job: "publish_iceberg", succeededAt: ago(3_600) });
  expect(await health(catalog)).toMatchObject({ status: "degraded", subsystems: { background_jobs: stale } });
});

describe("maintenance window", () => {
  const NO_JOBS = { healthy: 0, stale: 0, missing: 0, invalid: 0, unconfigured: 0, paused: 0 };

  test.each(["on", "off"])(
    "health in maintenance returns 200 without probes or failures, with heavy jobs %s",
    async (heavy) => {
      const probed = vi.fn();
      const away = new Proxy({}, { get: () => probed });
      const runtime = openTestRuntime("postgres://nobody@127.0.0.1:1/nothing", {
        MAINTENANCE: "on",
        HEAVY_JOBS: heavy,
      });
      // Any access to these proxies counts as a probe.
      const kernel = openKernel(
        { ...runtime, db: away as Database, cache: { ...runtime.cache, ping: probed } },
        OPERATIONS,
      );
      const response = await kernel.send("/api/v1/health");
      expect([response.status, response.body.data]).toEqual([
        200,
        {
          status: "maintenance",
          db: true,
          cache: true,
          subsystems: {
            webhook_compatibility: true,
            database_schema: true,
            background_jobs: { status: "not_checked", checked: false, total: EXPECTED.length, ...NO_JOBS },
          },
        },
      ]);
      expect(probed).not.toHaveBeenCalled();
      const again = await kernel.send("/api/v1/health", {
        headers: { "if-none-match": response.headers.get("etag") ?? "" },
      });
      expect(again.status).toBe(304);
    },
  );

  test("other operations are served during maintenance", async () => {
    const { databaseUrl } = await createTestDatabase();
    const kernel = openKernel(openTestRuntime(databaseUrl, { MAINTENANCE: "on" }), OPERATIONS);
    expect((await kernel.send("/api/v1/coverage")).status).toBe(200);
  });
});
