import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/neon-serverless";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { inTransaction, type Database } from "../../../src/db/client.ts";
import { readOutbox, startOfEpoch, type StoredEvent } from "../../../src/events/outbox/outbox-reader.ts";
import { findOutboxBounds } from "../../../src/events/outbox/outbox-bounds.ts";
import { formatEventId } from "../../../src/events/event-body.ts";
import { publishEvents } from "../../../src/events/outbox/publish-events.ts";
import { replayLargeTrades } from "../../../src/queries/event-replay.ts";
import { readHealth } from "../../../src/queries/health.ts";
import { fanOut } from "../../../src/webhooks/fan-out/fan-out.ts";
import { KillableReader, numberOf } from "../../support/events/killable-reader.ts";
import { startOwnPostgres, type OwnPostgres } from "../../support/events/own-postgres.ts";
import { writerOf, writeConcurrently } from "../../support/events/writers.ts";

/*
 * The outbox with many writers and with readers that are killed. A long run:
 *   FIRE_EVENTS=60000 FIRE_IDLE_SECONDS=60 npx vitest run --config test/vitest.config.ts \
 *     --project db test/db/events/replay-under-fire.test.ts
 */
const EVENTS = Number(process.env["FIRE_EVENTS"] ?? 20_000);
const IDLE_MS = Number(process.env["FIRE_IDLE_SECONDS"] ?? 0) * 1000;
const SEED = inject("seed");
const WRITERS = 16;
const READERS = ["one", "two", "three"];
const KILL_MS = 100;
/** The number of the event whose transaction stays open. */
const LATE = 999_999_999;
const TIMEOUT = { timeout: 600_000 };

let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await startOwnPostgres();
});

afterAll(() => postgres.stop());

/** Numbers of all events in their required read order, sorted here and not by the database. */
async function storedOrder(db: Database): Promise<number[]> {
  const { rows } = await db.execute(
    sql`select commit_xid::text as xid, id::text as id, (payload ->> 'count')::int as number from events`,
  );
  const keys = rows.map((row) => ({
    xid: BigInt(String(row["xid"])),
    id: BigInt(String(row["id"])),
    number: Number(row["number"]),
  }));
  keys.sort((a, b) => (a.xid === b.xid ? Number(a.id - b.id) : a.xid < b.xid ? -1 : 1));
  return keys.map(({ number }) => number);
}

/**
 * Reads after the last id alone, which is wrong; the number of missed events shows that transactions overlap.
 */
async function readById(db: Database, fire: AbortSignal): Promise<Set<number>> {
  const numbers = new Set<number>();
  let last = "0";
  for (let wasOver = false; ; wasOver = fire.aborted) {
    const { rows } = await db.execute(
      sql`select id::text as id, (payload ->> 'count')::int as number from events where id > ${last}::bigint order by id limit 400`,
    );
    for (const row of rows) numbers.add(Number(row["number"]));
    last = String(rows.at(-1)?.["id"] ?? last);
    if (rows.length === 0 && wasOver) return numbers;
  }
}

/**
 * Waits until the readers have received this many events. An event missing after half a minute is lost, and
 * the comparisons fail.
 */
async function untilReceived(readers: readonly KillableReader[], count: number): Promise<void> {
  for (let left = 3_000; left > 0 && readers.some(({ received }) => received.length < count); left--) await sleep(10);
}

test("three readers killed every 100 ms receive each committed event once, in one order", TIMEOUT, async () => {
  const { db, openPool } = await postgres.createDatabase();
  const readers = READERS.map((name) => new KillableReader(db, startOfEpoch(1), name));
  const fire = new AbortController();
  const killing = (async () => {
    for (; !fire.signal.aborted; await sleep(KILL_MS)) for (const reader of readers) reader.restart();
  })();
  const naive = readById(db, fire.signal);
  const began = Date.now();
  const committed = await writeConcurrently(openPool(WRITERS), { writers: WRITERS, events: EVENTS, seed: SEED });
  const seconds = (Date.now() - began) / 1000;
  await untilReceived(readers, committed.size);
  // A duplicate would arrive after the next restarts.
  const killsBefore = readers.map((reader) => reader.kills);
  while (readers.some((reader, index) => reader.kills < (killsBefore[index] ?? 0) + 2)) await sleep(10);
  fire.abort();
  await killing;
  for (const reader of readers) reader.stop();

  const order = await storedOrder(db);
  expect(committed.size).toBeGreaterThanOrEqual(EVENTS);
  expect(new Set(order)).toEqual(committed);
  const [first, ...others] = readers.map((reader) => reader.received.map(numberOf));
  expect(first).toEqual(order);
  for (const numbers of others) expect(numbers).toEqual(first);
  // A writer's transactions are sequential, so its events are in order.
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

test(
  "an open writing transaction stalls the horizon, health shows for how long, and no event is skipped afterwards",
  TIMEOUT,
  async () => {
    const { db, openPool } = await postgres.createDatabase();
    const pool = openPool(WRITERS + 1);
    const before = await writeConcurrently(pool, { writers: 2, events: 50, seed: SEED });
    const readers = READERS.map((name) => new KillableReader(db, startOfEpoch(1), name));
    for (const reader of readers) reader.restart();
    await untilReceived(readers, before.size);
    // The webhook reader has received everything up to here.
    while (
      (await fanOut(db, new Date(), { info: () => undefined, warn: () => undefined, error: () => undefined })).more
    );
    expect((await readHealth(db)).pendingSinceMs).toBeNull();

    const idle = await pool.connect();
    await idle.query("begin");
    await publishEvents(drizzle(idle), [{ type: "large_positions_updated", payload: { count: LATE } }]);
    const others = await writeConcurrently(pool, { writers: WRITERS, events: 400, seed: SEED, firstWriter: 2 });
    await sleep(IDLE_MS);
    expect(readers.map(({ received }) => received.length)).toEqual(READERS.map(() => before.size));
    const { pendingSinceMs } = await readHealth(db);
    const { rows } = await db.execute(
      sql`select extract(epoch from created_at) * 1000 as ms from events order by commit_xid, id offset ${before.size} limit 1`,
    );
    expect(Math.floor(Number(pendingSinceMs))).toBe(Math.floor(Number(rows[0]?.["ms"])));
    await idle.query("commit");
    idle.release();

    await untilReceived(readers, before.size + others.size + 1);
    for (const reader of readers) reader.stop();
    const order = await storedOrder(db);
    expect(new Set(order)).toEqual(new Set([...before, LATE, ...others]));
    for (const reader of readers) expect(reader.received.map(numberOf)).toEqual(order);
  },
);

const NO_FILTERS = { trader: null, market: null, grades: null, minSizeUsd: null, wallets: null, watchlist: null };

describe("a database restored to an older state with a new epoch", () => {
  test(
    "a restored database refuses every earlier position, reports the loss to webhooks and issues new event ids",
    TIMEOUT,
    async () => {
      const live = await postgres.createDatabase();
      const one = (database: typeof live, count: number) =>
        inTransaction(database.openPool(1), (session) =>
          publishEvents(session, [{ type: "large_positions_updated", payload: { count } }]),
        );
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
      const positionAfter = (event: StoredEvent) => ({ epoch: 1, commitXid: event.commit_xid, id: event.id });
      for (const position of [startOfEpoch(1), ...before.map(positionAfter)]) {
        expect((await readOutbox(restored, position, 10)).isContiguous).toBe(false);
        expect((await replayLargeTrades(restored, NO_FILTERS, { cursor: position, limit: 10 })).isContiguous).toBe(
          false,
        );
      }
      const after = await readOutbox(restored, startOfEpoch(2), 10);
      expect([after.isContiguous, after.events.map(numberOf)]).toEqual([true, [5, 6]]);
      // Row ids are reused after a restore; public event ids are not.
      expect(after.events.map(({ id }) => id)).toEqual(before.slice(2).map(({ id }) => id));
      const names = [
        ...before.map(({ id }) => formatEventId({ epoch: 1, id, identity: null })),
        ...after.events.map(({ id }) => formatEventId({ epoch: 2, id, identity: null })),
      ];
      expect(new Set(names).size).toBe(names.length);

      const errors: string[] = [];
      const fanned = await fanOut(restored, new Date(), {
        ...log,
        error: (message: string) => void errors.push(message),
      });
      expect([fanned.more, errors]).toEqual([true, ["webhook.events_lost"]]);
      expect((await findOutboxBounds(restored))?.start).toEqual(startOfEpoch(2));
    },
  );
});
