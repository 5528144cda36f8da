import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { jobHeartbeats } from "../../../src/db/schema.ts";
import type { Database } from "../../../src/db/client.ts";
import { HEARTBEATS, listPausedJobs } from "../../../src/domain/jobs.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { fanOut } from "../../../src/webhooks/fan-out.ts";
import { createTestDatabase } from "../../support/database.ts";
import { openFreshApi, type FreshApi } from "../../support/fresh-api.ts";
import { openKernel, openTestRuntime } from "../../support/kernel/open-kernel.ts";
import { someEvents, untilReadable } from "../../support/seed/webhooks.ts";

const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

let fresh: FreshApi;

beforeEach(async () => {
  fresh = await openFreshApi();
  await fresh.db.insert(jobHeartbeats).values(HEARTBEATS.map((job) => ({ job: job.name, succeededAt: new Date() })));
});

/** What health says of webhooks, and of everything. */
async function webhooks(): Promise<[boolean, string]> {
  const { data } = (await fresh.api.get("/api/v1/health")).body;
  return [data.subsystems.webhook_compatibility, data.status];
}

const WORKS = [true, "ok"];
const HELD_UP = [false, "degraded"];

/** What the dispatcher does until it finds nothing. */
async function tellAll(): Promise<void> {
  await untilReadable(fresh.db);
  while ((await fanOut(fresh.db, new Date(), LOG)).more);
}

describe("webhook_compatibility", () => {
  test("is whether the oldest event that webhooks have not been told of is younger than a minute", async () => {
    expect(await webhooks()).toEqual(WORKS);
    await tellAll();
    expect(await webhooks()).toEqual(WORKS);
    await someEvents(fresh.db, [{ createdAt: ago(50) }]);
    expect(await webhooks()).toEqual(WORKS);
    await tellAll();
    await someEvents(fresh.db, [{ createdAt: ago(70) }]);
    await someEvents(fresh.db, [{ createdAt: ago(1) }]);
    expect(await webhooks()).toEqual(HELD_UP);
    await tellAll();
    expect(await webhooks()).toEqual(WORKS);
  });

  test("looks at all events while webhooks have no place yet", async () => {
    await someEvents(fresh.db, [{ createdAt: ago(70) }]);
    expect(await webhooks()).toEqual(HELD_UP);
    await tellAll();
    expect(await webhooks()).toEqual(WORKS);
  });

  test("is false while an open transaction keeps an event back for longer", async () => {
    await tellAll();
    const open = await fresh.openPool().connect();
    await open.query("begin; select pg_current_xact_id()");
    await someEvents(fresh.db, [{ createdAt: ago(70) }]);
    await fanOut(fresh.db, new Date(), LOG);
    expect(await webhooks()).toEqual(HELD_UP);
    await open.query("rollback");
    open.release();
    await tellAll();
    expect(await webhooks()).toEqual(WORKS);
  });

  test("is not about events of an epoch that is over, and about all of one that webhooks have not entered", async () => {
    await tellAll();
    // Where a restore has begun the numbers anew, what is ahead of an old place says nothing of what has been told.
    await fresh.db.execute(sql`update outbox_readers set commit_xid = '9000000000000'`);
    await someEvents(fresh.db, [{ createdAt: ago(70) }]);
    await fresh.db.execute(sql`insert into outbox_epoch (epoch) values (2)`);
    expect(await webhooks()).toEqual(WORKS);
    await someEvents(fresh.db, [{ createdAt: ago(70) }]);
    expect(await webhooks()).toEqual(HELD_UP);
    await tellAll();
    expect(await webhooks()).toEqual(WORKS);
  });

  test("is false without an epoch", async () => {
    await fresh.db.execute(sql`delete from outbox_epoch`);
    expect(await webhooks()).toEqual(HELD_UP);
  });
});

describe("background_jobs", () => {
  const healthOf = async () => (await fresh.api.get("/api/v1/health")).body.data;
  const NONE = { stale: 0, missing: 0, invalid: 0, unconfigured: 0, paused: 0 };
  const total = HEARTBEATS.length;

  test("counts every job that beats, and all is well", async () => {
    const { status, subsystems } = await healthOf();
    expect([status, subsystems.background_jobs]).toEqual(["ok", { status: "ok", checked: true, total, healthy: total, ...NONE }]);
  });

  test("tells the late, the missing, the impossible and the unknown apart, and names none of them", async () => {
    const succeeded = (job: string, at: Date | null) =>
      fresh.db.update(jobHeartbeats).set({ succeededAt: at }).where(eq(jobHeartbeats.job, job));
    await succeeded("flows", ago(181));
    await succeeded("taker_feed", ago(181));
    await succeeded("suspicion", null);
    await succeeded("books", ago(-120));
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
    for (const name of [...HEARTBEATS.map((job) => job.name), "retired"]) expect(text).not.toContain(`"${name}"`);
  });

  test("that are all late take the service down, though the database answers", async () => {
    await fresh.db.update(jobHeartbeats).set({ succeededAt: ago(86_400) });
    expect(await healthOf()).toMatchObject({
      status: "down",
      db: true,
      subsystems: { background_jobs: { status: "down", total, healthy: 0, stale: total } },
    });
  });
});

describe("while heavy jobs are off", () => {
  const paused = listPausedJobs(false);
  const total = HEARTBEATS.length;

  /** What health says of a database in which the jobs succeeded so many seconds ago, and those that are paused never did. */
  async function healthAfter(seconds: number) {
    const { databaseUrl, db } = await createTestDatabase();
    const run = HEARTBEATS.filter(({ name }) => !paused.some((job) => job === name));
    await db.insert(jobHeartbeats).values(run.map(({ name }) => ({ job: name, succeededAt: ago(seconds) })));
    const answer = await openKernel(openTestRuntime(databaseUrl, { HEAVY_JOBS: "off" }), OPERATIONS).send("/api/v1/health");
    return answer.body.data;
  }

  test("they are paused, which degrades and takes nothing down", async () => {
    expect(await healthAfter(0)).toMatchObject({
      status: "degraded",
      db: true,
      cache: true,
      subsystems: {
        background_jobs: { status: "degraded", checked: true, total, healthy: total - paused.length, missing: 0, paused: paused.length },
      },
    });
  });

  test("the service is down all the same when every other job is late", async () => {
    expect(await healthAfter(86_400)).toMatchObject({ status: "down", subsystems: { background_jobs: { status: "down", healthy: 0 } } });
  });
});

describe("in a planned maintenance window", () => {
  const NO_JOBS = { healthy: 0, stale: 0, missing: 0, invalid: 0, unconfigured: 0, paused: 0 };

  test.each(["on", "off"])("nothing is probed, nothing counts as failed, and the answer is 200, with heavy jobs %s", async (heavy) => {
    const probed = vi.fn();
    const away = new Proxy({}, { get: () => probed });
    const runtime = openTestRuntime("postgres://nobody@127.0.0.1:1/nothing", { MAINTENANCE: "on", HEAVY_JOBS: heavy });
    // Whatever is called of them is the probe.
    const kernel = openKernel({ ...runtime, db: away as Database, cache: { ...runtime.cache, ping: probed } }, OPERATIONS);
    const answer = await kernel.send("/api/v1/health");
    expect([answer.status, answer.body.data]).toEqual([
      200,
      {
        status: "maintenance",
        db: true,
        cache: true,
        subsystems: {
          webhook_compatibility: true,
          background_jobs: { status: "not_checked", checked: false, total: HEARTBEATS.length, ...NO_JOBS },
        },
      },
    ]);
    expect(probed).not.toHaveBeenCalled();
    const again = await kernel.send("/api/v1/health", { headers: { "if-none-match": answer.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
  });

  test("everything else is served as ever", async () => {
    const { databaseUrl } = await createTestDatabase();
    const kernel = openKernel(openTestRuntime(databaseUrl, { MAINTENANCE: "on" }), OPERATIONS);
    expect((await kernel.send("/api/v1/coverage")).status).toBe(200);
  });
});
