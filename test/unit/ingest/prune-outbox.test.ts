import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { inTransaction, type Database } from "../../../src/db/client.ts";
import { readOutbox, startOfEpoch } from "../../../src/db/outbox.ts";
import { EVENT_DAYS, pruneOutbox } from "../../../src/ingest/prune-outbox.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { someEvents, untilReadable } from "../../support/seed/webhooks.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const LIMIT_MS = NOW.getTime() - EVENT_DAYS * 86_400_000;
const OLD = new Date(LIMIT_MS - 1);
const YOUNG = new Date(LIMIT_MS);

let database: TestDatabase;
let db: Database;
let pool: Pool;

beforeEach(async () => {
  database = await createTestDatabase();
  db = database.db;
  pool = database.openPool();
});

/** Events of such ages, each in a transaction of its own. @returns their public ids */
async function told(...ages: Date[]): Promise<string[]> {
  const ids: string[] = [];
  for (const createdAt of ages) ids.push(...(await someEvents(db, [{ createdAt }])));
  await untilReadable(db);
  return ids;
}

const prune = (batch?: number) => inTransaction(pool, (session) => pruneOutbox(session, NOW, batch));

async function kept(): Promise<string[]> {
  const { rows } = await db.execute(sql`select 'evt_' || epoch || '_' || id as id from events order by commit_xid, id`);
  return rows.map((row) => String(row["id"]));
}

/** The pair of an event. */
async function pairOf(id: string): Promise<{ commitXid: string; id: string }> {
  const row = id.split("_")[2] ?? "";
  const { rows } = await db.execute(sql`select commit_xid::text as xid from events where id = ${row}::bigint`);
  return { commitXid: String(rows[0]?.["xid"]), id: row };
}

async function readerAt(name: string, epoch: number, place: { commitXid: string; id: string }): Promise<void> {
  await db.execute(sql`
    insert into outbox_readers (name, epoch, commit_xid, event_id) values (${name}, ${epoch}, ${place.commitXid}::xid8, ${place.id}::bigint)
    on conflict (name) do update set epoch = excluded.epoch, commit_xid = excluded.commit_xid, event_id = excluded.event_id`);
}

test("an event goes when it is older than seven days, by a millisecond", async () => {
  const [, exact, young] = await told(OLD, YOUNG, NOW);
  expect(await prune()).toBe(false);
  expect(await kept()).toEqual([exact, young]);
});

test("an older event behind a younger one stays until the front is old", async () => {
  const [, young, old, last] = await told(OLD, YOUNG, OLD, NOW);
  await prune();
  expect(await kept()).toEqual([young, old, last]);
  await inTransaction(pool, (session) => pruneOutbox(session, new Date(NOW.getTime() + 1)));
  expect(await kept()).toEqual([last]);
});

test("order is that of commit and not of ids", async () => {
  const late = await database.openPool().connect();
  await late.query("begin");
  await late.query(`insert into events (epoch, type, payload, created_at) values (1, 'x', '{}', $1)`, [OLD]);
  const other = await database.openPool().connect();
  // Its transaction takes its number before, and its row id after the first one.
  await other.query("begin; select pg_current_xact_id()");
  await late.query("commit");
  const [young] = await someEvents(db, [{ createdAt: YOUNG }]);
  await other.query(`insert into events (epoch, type, payload, created_at) values (1, 'x', '{}', $1)`, [OLD]);
  await other.query("commit");
  for (const session of [late, other]) session.release();
  await untilReadable(db);
  // A batch that were the lowest ids would stop at the young one.
  await prune(2);
  expect(await kept()).toEqual([young]);
});

test("done again it takes nothing and moves nothing", async () => {
  await told(OLD, OLD, NOW);
  await prune();
  const marks = async () => (await db.execute(sql`select pruned_xid::text, pruned_id::text from outbox_epoch`)).rows;
  const [before, left] = [await marks(), await kept()];
  expect(await prune()).toBe(false);
  expect([await marks(), await kept()]).toEqual([before, left]);
});

test("one transaction takes a batch, and says that more may be old", async () => {
  const ids = await told(OLD, OLD, OLD, OLD, NOW);
  expect(await prune(2)).toBe(true);
  expect(await kept()).toEqual(ids.slice(2));
  expect(await prune(2)).toBe(true);
  expect(await kept()).toEqual(ids.slice(4));
  expect(await prune(2)).toBe(false);
  expect(await kept()).toEqual(ids.slice(4));
});

describe("a reader that keeps its place", () => {
  test("keeps what it has not come past, however old", async () => {
    const ids = await told(OLD, OLD, OLD, NOW);
    await readerAt("webhooks", 1, await pairOf(ids[0] ?? ""));
    await prune();
    expect(await kept()).toEqual(ids.slice(1));
    await readerAt("webhooks", 1, await pairOf(ids[2] ?? ""));
    await prune();
    expect(await kept()).toEqual(ids.slice(3));
  });

  test("that is the slower of two decides", async () => {
    const ids = await told(OLD, OLD, NOW);
    await readerAt("webhooks", 1, await pairOf(ids[0] ?? ""));
    await readerAt("other", 1, await pairOf(ids[1] ?? ""));
    await prune();
    expect(await kept()).toEqual(ids.slice(1));
  });

  test("and has not entered the epoch yet keeps all of it", async () => {
    await readerAt("webhooks", 1, { commitXid: "0", id: "0" });
    await db.execute(sql`insert into outbox_epoch (epoch) values (2)`);
    const ids = await told(OLD, OLD);
    await prune();
    expect(await kept()).toEqual(ids);
  });
});

test("what an older transaction, still open, keeps back is not taken, so that the mark never moves back", async () => {
  const open = await database.openPool().connect();
  await open.query("begin");
  await open.query(`insert into events (epoch, type, payload, created_at) values (1, 'x', '{}', $1)`, [OLD]);
  const [ahead] = await someEvents(db, [{ createdAt: OLD }]);
  await prune();
  expect(await kept()).toEqual([ahead]);
  await open.query("commit");
  open.release();
  await untilReadable(db);
  await prune();
  expect(await kept()).toEqual([]);
});

describe("a reader is told", () => {
  test("when events behind its place are gone, and not when it stands behind the last of them", async () => {
    const ids = await told(OLD, OLD, NOW);
    const places = [startOfEpoch(1), ...(await Promise.all(ids.map(async (id) => ({ epoch: 1, ...(await pairOf(id)) }))))];
    const whole = async () => Promise.all(places.map(async (place) => (await readOutbox(db, place, 10)).isWhole));
    expect(await whole()).toEqual([true, true, true, true]);
    await prune();
    expect(await whole()).toEqual([false, false, true, true]);
  });

  test("when its place lies beyond everything that the database has seen, and not when it lies at the horizon", async () => {
    await told(NOW);
    const { rows } = await db.execute(sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`);
    const place = { epoch: 1, commitXid: String(rows[0]?.["xid"]), id: "0" };
    expect((await readOutbox(db, place, 10)).isWhole).toBe(true);
    expect((await readOutbox(db, { ...place, commitXid: "9000000000000" }, 10)).isWhole).toBe(false);
  });

  test("nothing of what an epoch that is over has lost", async () => {
    await told(OLD);
    await prune();
    await db.execute(sql`insert into outbox_epoch (epoch) values (2)`);
    expect((await readOutbox(db, startOfEpoch(2), 10)).isWhole).toBe(true);
    expect((await readOutbox(db, startOfEpoch(1), 10)).isWhole).toBe(false);
  });
});

describe("events of an epoch that is over", () => {
  test("go when they are old, whatever readers there are, and are no mark of the new one", async () => {
    const ids = await told(OLD, YOUNG);
    await readerAt("webhooks", 1, { commitXid: "0", id: "0" });
    await db.execute(sql`insert into outbox_epoch (epoch) values (2)`);
    await prune();
    expect(await kept()).toEqual(ids.slice(1));
    expect((await db.execute(sql`select from outbox_epoch where pruned_xid is not null`)).rows).toEqual([]);
  });

  test("go also where they lie beyond the horizon, as a restore into another cluster leaves them", async () => {
    const beyond = "9000000000000";
    await db.execute(sql`insert into events (epoch, type, payload, created_at, commit_xid)
      values (1, 'x', '{}', ${OLD.toISOString()}::timestamptz, ${beyond}::xid8), (1, 'x', '{}', ${NOW.toISOString()}::timestamptz, ${beyond}::xid8)`);
    await db.execute(sql`insert into outbox_epoch (epoch) values (2)`);
    const [own] = await someEvents(db, [{ createdAt: NOW }]);
    await prune();
    expect(await kept()).toEqual([own, "evt_1_2"]);
  });
});
