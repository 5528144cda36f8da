import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTransaction, type Database } from "../../../src/db/client.ts";
import { readOutbox, startOfEpoch, type StoredEvent } from "../../../src/db/outbox.ts";
import { findOutboxEnds } from "../../../src/db/outbox-restart.ts";
import { formatEventId } from "../../../src/domain/event-catalogue.ts";
import { publish } from "../../../src/ingest/outbox.ts";
import { replayLargeTrades } from "../../../src/queries/event-replay.ts";
import { readHealth } from "../../../src/queries/health.ts";
import { fanOut } from "../../../src/webhooks/fan-out.ts";
import { MortalReader, numberOf } from "../../support/events/mortal-reader.ts";
import { startOwnPostgres, type OwnPostgres } from "../../support/events/own-postgres.ts";
import { writerOf, writeUnderFire } from "../../support/events/writers.ts";

/*
 * The outbox under many writers and readers that die. The long form:
 *   FIRE_EVENTS=60000 FIRE_IDLE_SECONDS=60 npx vitest run --config test/vitest.config.ts --project unit test/unit/events/replay-under-fire.test.ts
 */
const EVENTS = Number(process.env["FIRE_EVENTS"] ?? 20_000);
const IDLE_MS = Number(process.env["FIRE_IDLE_SECONDS"] ?? 5) * 1000;
const SEED = Number(process.env["FIRE_SEED"] ?? Date.now() % 1_000_000);
const WRITERS = 16;
const READERS = ["one", "two", "three"];
const KILL_MS = 200;
/** The number of the event whose transaction stays open. */
const LATE = 999_999_999;
const TIMEOUT = { timeout: 600_000 };

let postgres: OwnPostgres;

beforeAll(async () => {
  console.info(`the outbox is written by seed ${SEED}`);
  postgres = await startOwnPostgres();
}, 120_000);

afterAll(() => postgres.stop());

/** Numbers of all events, in the order in which they have to be read: sorted here, and not by the database. */
async function storedOrder(db: Database): Promise<number[]> {
  const { rows } = await db.execute(sql`select commit_xid::text as xid, id::text as id, (payload ->> 'count')::int as number from events`);
  const keys = rows.map((row) => ({ xid: BigInt(String(row["xid"])), id: BigInt(String(row["id"])), number: Number(row["number"]) }));
  keys.sort((a, b) => (a.xid === b.xid ? Number(a.id - b.id) : a.xid < b.xid ? -1 : 1));
  return keys.map(({ number }) => number);
}

/** Reads behind the last id alone, as nobody should: what it misses shows how hot the fire is. */
async function readById(db: Database, fire: AbortSignal): Promise<Set<number>> {
  const told = new Set<number>();
  let last = "0";
  for (let wasOver = false; ; wasOver = fire.aborted) {
    const { rows } = await db.execute(
      sql`select id::text as id, (payload ->> 'count')::int as number from events where id > ${last}::bigint order by id limit 400`,
    );
    for (const row of rows) told.add(Number(row["number"]));
    last = String(rows.at(-1)?.["id"] ?? last);
    if (rows.length === 0 && wasOver) return told;
  }
}

/** Waits for readers to be told of so much. What they are not told of in half a minute they have lost, as the comparisons show. */
async function untilTold(readers: readonly MortalReader[], count: number): Promise<void> {
  for (let left = 3_000; left > 0 && readers.some(({ told }) => told.length < count); left--) await sleep(10);
}

test("three readers killed every 200 ms are told of each committed event once, in one order", TIMEOUT, async () => {
  const { db, openPool } = await postgres.createDatabase();
  const readers = READERS.map((name) => new MortalReader(db, startOfEpoch(1), name));
  const fire = new AbortController();
  const killing = (async () => {
    for (; !fire.signal.aborted; await sleep(KILL_MS)) for (const reader of readers) reader.restart();
  })();
  const naive = readById(db, fire.signal);
  const began = Date.now();
  const committed = await writeUnderFire(openPool(WRITERS), { writers: WRITERS, events: EVENTS, seed: SEED });
  const seconds = (Date.now() - began) / 1000;
  await untilTold(readers, committed.size);
  // Whoever is told of something twice is told of it now.
  await sleep(2 * KILL_MS);
  fire.abort();
  await killing;
  for (const reader of readers) reader.stop();

  const order = await storedOrder(db);
  expect(committed.size).toBeGreaterThanOrEqual(EVENTS);
  expect(new Set(order)).toEqual(committed);
  const [first, ...others] = readers.map((reader) => reader.told.map(numberOf));
  expect(first).toEqual(order);
  for (const told of others) expect(told).toEqual(first);
  // A writer's transactions follow each other, so its events do.
  for (let writer = 0; writer < WRITERS; writer++) {
    const own = order.filter((number) => writerOf(number) === writer);
    expect(own).toEqual(own.toSorted((a, b) => a - b));
  }
  expect(readers.map(({ gaps }) => gaps)).toEqual(READERS.map(() => 0));
  const missed = committed.size - (await naive).size;
  expect(missed).toBeGreaterThan(0);
  console.info(
    `${committed.size} events in ${seconds.toFixed(1)} s, ${readers.map(({ kills }) => kills).join(" + ")} kills: 0 lost; by id alone ${missed} lost`,
  );
});

test("an idle writing transaction stalls the horizon, health shows for how long, and nothing is skipped after it", TIMEOUT, async () => {
  const { db, openPool } = await postgres.createDatabase();
  const pool = openPool(WRITERS + 1);
  const before = await writeUnderFire(pool, { writers: 2, events: 50, seed: SEED });
  const readers = READERS.map((name) => new MortalReader(db, startOfEpoch(1), name));
  for (const reader of readers) reader.restart();
  await untilTold(readers, before.size);
  // Webhooks have been told of everything up to here.
  while ((await fanOut(db, new Date(), { info: () => undefined, warn: () => undefined, error: () => undefined })).more);
  expect((await readHealth(db)).untoldSinceMs).toBeNull();

  const idle = await pool.connect();
  await idle.query("begin");
  await publish(idle, [{ type: "large_positions_updated", payload: { count: LATE } }]);
  const began = Date.now();
  const others = await writeUnderFire(pool, { writers: WRITERS, events: 400, seed: SEED, firstWriter: 2 });
  await sleep(IDLE_MS - (Date.now() - began));
  expect(readers.map(({ told }) => told.length)).toEqual(READERS.map(() => before.size));
  const { untoldSinceMs } = await readHealth(db);
  expect(Date.now() - Number(untoldSinceMs)).toBeGreaterThan(IDLE_MS - 1_000);
  await idle.query("commit");
  idle.release();

  await untilTold(readers, before.size + others.size + 1);
  for (const reader of readers) reader.stop();
  const order = await storedOrder(db);
  expect(new Set(order)).toEqual(new Set([...before, LATE, ...others]));
  for (const reader of readers) expect(reader.told.map(numberOf)).toEqual(order);
});

const NO_FILTERS = { trader: null, market: null, grades: null, minSizeUsd: null };

describe("a database that is restored to an older state, with a new epoch,", () => {
  test("refuses every place of before, tells webhooks' reader of it, and numbers its events as no others", TIMEOUT, async () => {
    const live = await postgres.createDatabase();
    const one = (database: typeof live, count: number) =>
      inTransaction(database.openPool(1), (session) => publish(session, [{ type: "large_positions_updated", payload: { count } }]));
    await one(live, 1);
    await one(live, 2);
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    while ((await fanOut(live.db, new Date(), log)).more);
    await live.close();
    const backup = await postgres.copyDatabase(live.name);
    const lively = await postgres.copyDatabase(live.name);
    await one(lively, 3);
    await one(lively, 4);
    const before = (await readOutbox(lively.db, startOfEpoch(1), 10)).events;
    expect(before.map(numberOf)).toEqual([1, 2, 3, 4]);

    const restored = backup.db;
    await restored.execute(sql`insert into outbox_epoch (epoch) select max(epoch) + 1 from outbox_epoch`);
    await one(backup, 5);
    await one(backup, 6);
    const placeBehind = (event: StoredEvent) => ({ epoch: 1, commitXid: event.commit_xid, id: event.id });
    for (const place of [startOfEpoch(1), ...before.map(placeBehind)]) {
      expect((await readOutbox(restored, place, 10)).isWhole).toBe(false);
      expect((await replayLargeTrades(restored, NO_FILTERS, { place, limit: 10 })).isWhole).toBe(false);
    }
    const after = await readOutbox(restored, startOfEpoch(2), 10);
    expect([after.isWhole, after.events.map(numberOf)]).toEqual([true, [5, 6]]);
    // Row ids are handed out again; what the world calls events by is not.
    expect(after.events.map(({ id }) => id)).toEqual(before.slice(2).map(({ id }) => id));
    const names = [...before.map(({ id }) => formatEventId(1, id)), ...after.events.map(({ id }) => formatEventId(2, id))];
    expect(new Set(names).size).toBe(names.length);

    const said: string[] = [];
    const entered = await fanOut(restored, new Date(), { ...log, error: (message: string) => void said.push(message) });
    expect([entered.more, said]).toEqual([true, ["events were lost to webhooks"]]);
    expect((await findOutboxEnds(restored))?.start).toEqual(startOfEpoch(2));
  });
});
