import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { jobHeartbeats } from "../../../src/db/schema.ts";
import { HEARTBEATS } from "../../../src/domain/jobs.ts";
import { fanOut } from "../../../src/webhooks/fan-out.ts";
import { openFreshApi, type FreshApi } from "../../support/fresh-api.ts";
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
