import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { inTransaction, type Database } from "../../../../src/db/client.ts";
import { RETENTION_MS } from "../../../../src/domain/retention.ts";
import { readOutbox, startOfEpoch } from "../../../../src/events/outbox/outbox-reader.ts";
import { pruneOutbox } from "../../../../src/events/outbox/prune-outbox.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { someEvents, untilReadable } from "../../../support/seed/webhooks.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const LIMIT_MS = NOW.getTime() - RETENTION_MS;
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

/** Events with these creation times, each in a separate transaction. @returns their public ids */
async function publishedAt(...ages: Date[]): Promise<string[]> {
  const ids: string[] = [];
  for (const createdAt of ages) ids.push(...(await someEvents(db, [{ createdAt }])));
  await untilReadable(db);
  return ids;
}

const prune = (batch?: number) => inTransaction(pool, (session) => pruneOutbox(session, NOW, batch));

async function remaining(): Promise<string[]> {
  const { rows } = await db.execute(sql`select 'evt_' || epoch || '_' || id as id from events order by commit_xid, id`);
  return rows.map((row) => String(row["id"]));
}

/** The commit transaction and row id of an event. */
async function positionOf(id: string): Promise<{ commitXid: string; id: string }> {
  const row = id.split("_")[2] ?? "";
  const { rows } = await db.execute(sql`select commit_xid::text as xid from events where id = ${row}::bigint`);
  return { commitXid: String(rows[0]?.["xid"]), id: row };
}

async function readerAt(name: string, epoch: number, position: { commitXid: string; id: string }): Promise<void> {
  await db.execute(sql`
    insert into outbox_readers (name, epoch, commit_xid, event_id) values (${name}, ${epoch}, ${position.commitXid}::xid8, ${position.id}::bigint)
    on conflict (name) do update set epoch = excluded.epoch, commit_xid = excluded.commit_xid, event_id = excluded.event_id`);
}

test("an event is pruned one millisecond after its seven days", async () => {
  const [, exact, young] = await publishedAt(OLD, YOUNG, NOW);
  expect(await prune()).toBe(false);
  expect(await remaining()).toEqual([exact, young]);
});

test("an old event behind a younger one stays until all events before it are old", async () => {
  const [, young, old, last] = await publishedAt(OLD, YOUNG, OLD, NOW);
  await prune();
  expect(await remaining()).toEqual([young, old, last]);
  await inTransaction(pool, (session) => pruneOutbox(session, new Date(NOW.getTime() + 1)));
  expect(await remaining()).toEqual([last]);
});

test("the outbox is pruned in commit order, not in id order", async () => {
  const late = await database.openPool().connect();
  await late.query("begin");
  await late.query(`insert into events (epoch, type, payload, created_at) values (1, 'x', '{}', $1)`, [OLD]);
  const other = await database.openPool().connect();
  // Its transaction gets its number before the first commit, and its row id after the first row.
  await other.query("begin; select pg_current_xact_id()");
  await late.query("commit");
  const [young] = await someEvents(db, [{ createdAt: YOUNG }]);
  await other.query(`insert into events (epoch, type, payload, created_at) values (1, 'x', '{}', $1)`, [OLD]);
  await other.query("commit");
  for (const session of [late, other]) session.release();
  await untilReadable(db);
  // A batch by lowest ids would stop at the young event.
  await prune(2);
  expect(await remaining()).toEqual([young]);
});

test("a repeated pruning removes nothing and moves no mark", async () => {
  await publishedAt(OLD, OLD, NOW);
  await prune();
  const marks = async () => (await db.execute(sql`select pruned_xid::text, pruned_id::text from outbox_epoch`)).rows;
  const [before, left] = [await marks(), await remaining()];
  expect(await prune()).toBe(false);
  expect([await marks(), await remaining()]).toEqual([before, left]);
});

test("one transaction prunes one batch and reports that more events may be old", async () => {
  const ids = await publishedAt(OLD, OLD, OLD, OLD, NOW);
  expect(await prune(2)).toBe(true);
  expect(await remaining()).toEqual(ids.slice(2));
  expect(await prune(2)).toBe(true);
  expect(await remaining()).toEqual(ids.slice(4));
  expect(await prune(2)).toBe(false);
  expect(await remaining()).toEqual(ids.slice(4));
});

describe("readers with a stored position", () => {
  test("an event that a reader has not passed stays, however old", async () => {
    const ids = await publishedAt(OLD, OLD, OLD, NOW);
    await readerAt("webhooks", 1, await positionOf(ids[0] ?? ""));
    await prune();
    expect(await remaining()).toEqual(ids.slice(1));
    await readerAt("webhooks", 1, await positionOf(ids[2] ?? ""));
    await prune();
    expect(await remaining()).toEqual(ids.slice(3));
  });

  test("the slower of two readers determines what is pruned", async () => {
    const ids = await publishedAt(OLD, OLD, NOW);
    await readerAt("webhooks", 1, await positionOf(ids[0] ?? ""));
    await readerAt("other", 1, await positionOf(ids[1] ?? ""));
    await prune();
    expect(await remaining()).toEqual(ids.slice(1));
  });

  test("a reader that has not entered the epoch yet holds back all of its events", async () => {
    await readerAt("webhooks", 1, { commitXid: "0", id: "0" });
    await db.execute(sql`insert into outbox_epoch (epoch) values (2)`);
    const ids = await publishedAt(OLD, OLD);
    await prune();
    expect(await remaining()).toEqual(ids);
  });
});

test("an event behind an open older transaction is not pruned, so that the mark never moves back", async () => {
  const open = await database.openPool().connect();
  await open.query("begin");
  await open.query(`insert into events (epoch, type, payload, created_at) values (1, 'x', '{}', $1)`, [OLD]);
  const [ahead] = await someEvents(db, [{ createdAt: OLD }]);
  await prune();
  expect(await remaining()).toEqual([ahead]);
  await open.query("commit");
  open.release();
  await untilReadable(db);
  await prune();
  expect(await remaining()).toEqual([]);
});

describe("gaps reported to readers", () => {
  test("a reader gets a gap when events after its position are pruned, but not when its position is after the last of them", async () => {
    const ids = await publishedAt(OLD, OLD, NOW);
    const positions = [
      startOfEpoch(1),
      ...(await Promise.all(ids.map(async (id) => ({ epoch: 1, ...(await positionOf(id)) })))),
    ];
    const whole = async () =>
      Promise.all(positions.map(async (position) => (await readOutbox(db, position, 10)).isContiguous));
    expect(await whole()).toEqual([true, true, true, true]);
    await prune();
    expect(await whole()).toEqual([false, false, true, true]);
  });

  test("a reader gets a gap when its position is beyond the database's transactions, but not when it is at the horizon", async () => {
    await publishedAt(NOW);
    const { rows } = await db.execute(sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`);
    const position = { epoch: 1, commitXid: String(rows[0]?.["xid"]), id: "0" };
    expect((await readOutbox(db, position, 10)).isContiguous).toBe(true);
    expect((await readOutbox(db, { ...position, commitXid: "9000000000000" }, 10)).isContiguous).toBe(false);
  });

  test("a reader of a new epoch gets no gap for events lost in an earlier epoch", async () => {
    await publishedAt(OLD);
    await prune();
    await db.execute(sql`insert into outbox_epoch (epoch) values (2)`);
    expect((await readOutbox(db, startOfEpoch(2), 10)).isContiguous).toBe(true);
    expect((await readOutbox(db, startOfEpoch(1), 10)).isContiguous).toBe(false);
  });
});

describe("events of an earlier epoch", () => {
  test("old events of an earlier epoch are pruned regardless of readers and set no mark on the new epoch", async () => {
    const ids = await publishedAt(OLD, YOUNG);
    await readerAt("webhooks", 1, { commitXid: "0", id: "0" });
    await db.execute(sql`insert into outbox_epoch (epoch) values (2)`);
    await prune();
    expect(await remaining()).toEqual(ids.slice(1));
    expect((await db.execute(sql`select from outbox_epoch where pruned_xid is not null`)).rows).toEqual([]);
  });

  test("old events of an earlier epoch are pruned even beyond the horizon, as after a restore into another cluster", async () => {
    const beyond = "9000000000000";
    await db.execute(sql`insert into events (epoch, type, payload, created_at, commit_xid)
      values (1, 'x', '{}', ${OLD.toISOString()}::timestamptz, ${beyond}::xid8), (1, 'x', '{}', ${NOW.toISOString()}::timestamptz, ${beyond}::xid8)`);
    await db.execute(sql`insert into outbox_epoch (epoch) values (2)`);
    const [own] = await someEvents(db, [{ createdAt: NOW }]);
    await prune();
    expect(await remaining()).toEqual([own, "evt_1_2"]);
  });
});
