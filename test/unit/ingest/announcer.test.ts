import type { Pool } from "@neondatabase/serverless";
import { beforeEach, describe, expect, test } from "vitest";
import { inTransaction, type Database } from "../../../src/db/client.ts";
import { ingestCheckpoints, reportSnapshots } from "../../../src/db/schema.ts";
import { GENERATIONS, generationKey, type GenerationName } from "../../../src/domain/generations.ts";
import type { JobName } from "../../../src/domain/jobs.ts";
import { Announcer } from "../../../src/ingest/announce-generations.ts";
import { noteEnds } from "../../../src/ingest/results/note-ends.ts";
import { CacheUnavailable, type Cache } from "../../../src/ports/cache.ts";
import { createTestDatabase } from "../../support/database.ts";
import { aLargeTrade } from "../../support/seed/large-trades.ts";
import { aGeneration } from "../../support/seed/lists.ts";
import { aSuspiciousTrade } from "../../support/seed/signals.ts";

const AT = new Date("2026-11-20T12:00:00Z");

/** Something that is published, and the job that publishes it. */
interface Publication {
  readonly name: GenerationName;
  readonly job: JobName;
  readonly what: string;
  readonly publish: (db: Database) => Promise<unknown>;
}

const aList = (name: GenerationName, job: JobName, list: string): Publication => ({
  name,
  job,
  what: `a generation of ${list}`,
  publish: (db) => aGeneration(db, list, AT, 0),
});

const report = (facts: Partial<typeof reportSnapshots.$inferInsert>) => (db: Database) => {
  const day = { kind: "daily", period: "2026-11-20", startOn: "2026-11-20", endOn: "2026-11-20" };
  const row = { ...day, version: 1, status: "rolling", generatedAt: AT, sourceReadStartedAt: AT, basis: "x", report: {}, ...facts };
  const key = [reportSnapshots.kind, reportSnapshots.period];
  return db
    .insert(reportSnapshots)
    .values(row)
    .onConflictDoUpdate({ target: key, set: { version: row.version, status: row.status } });
};

const candlesTo = (entryId: number) => (db: Database) =>
  db
    .insert(ingestCheckpoints)
    .values({ feed: "signals:candles", state: { entry_id: entryId } })
    .onConflictDoUpdate({ target: ingestCheckpoints.feed, set: { state: { entry_id: entryId } } });

const anEnd = () => inTransaction(pool, noteEnds);

/** In this order, over one database. */
const PUBLICATIONS: readonly Publication[] = [
  aList("leaderboard", "leaderboard", "leaderboard"),
  aList("trending", "boards", "trending:7d"),
  aList("trending", "boards", "trending:30d"),
  aList("explore", "explore", "explore"),
  aList("large_positions", "large_positions", "large_positions"),
  ...["1h", "4h", "24h", "7d"].map((window) => aList("flows", "flows", `flows:${window}`)),
  { name: "reports", job: "reports", what: "a first report", publish: report({}) },
  { name: "reports", job: "reports", what: "a second one", publish: report({ period: "2026-11-19" }) },
  { name: "reports", job: "reports", what: "another version", publish: report({ version: 2 }) },
  { name: "reports", job: "reports", what: "a version that is final", publish: report({ status: "final" }) },
  { name: "candles", job: "candles", what: "days up to an entry", publish: candlesTo(7) },
  { name: "candles", job: "candles", what: "days up to a later one", publish: candlesTo(8) },
  { name: "large_trades", job: "taker_feed", what: "a large trade", publish: (db) => aLargeTrade(db) },
  { name: "large_trades", job: "fill_feed", what: "another one", publish: (db) => aLargeTrade(db) },
  { name: "suspicious_trades", job: "suspicion", what: "a flag", publish: (db) => aSuspiciousTrade(db) },
  { name: "results", job: "resolutions", what: "an end or a result", publish: anEnd },
  { name: "results", job: "resolutions", what: "another one", publish: anEnd },
];

let db: Database;
let pool: Pool;
let told: Map<string, string>;
let sets: number;
let warnings: string[];
let cacheIsAway: boolean;
let now: number;

const cache = {
  set: async (key: string, value: string) => {
    if (cacheIsAway) throw new CacheUnavailable("away");
    sets += 1;
    told.set(key, value);
  },
} as Partial<Cache> as Cache;

const log = { info: () => undefined, error: () => undefined, warn: (message: string) => void warnings.push(message) };
const aProcess = () => new Announcer(cache, () => now, log);
const wordOf = (name: GenerationName) => told.get(generationKey(name));

beforeEach(async () => {
  const database = await createTestDatabase();
  db = database.db;
  pool = database.openPool();
  [told, sets, warnings, cacheIsAway, now] = [new Map(), 0, [], false, AT.getTime()];
});

test("each thing that is published gets another word, and a run that publishes nothing says nothing", async () => {
  const announcer = aProcess();
  for (const { name, job, what, publish } of PUBLICATIONS) {
    await announcer.announce(pool, job);
    const [before, others] = [wordOf(name), sets];
    await publish(db);
    for (const _ of ["its run", "a run without work"]) await announcer.announce(pool, job);
    const word = wordOf(name);
    expect({ what, isTold: word !== undefined && word !== before, sets }).toEqual({ what, isTold: true, sets: others + 1 });
  }
  expect([...told.keys()].toSorted()).toEqual(GENERATIONS.map(generationKey).toSorted());
  expect(warnings).toEqual([]);
});

test("nothing is said before anything is published, nor after the run of a job that publishes nothing", async () => {
  for (const { job } of PUBLICATIONS) await aProcess().announce(pool, job);
  await aGeneration(db, "leaderboard", AT, 0);
  await aProcess().announce(pool, "wallet_sync");
  expect(sets).toBe(0);
});

test("what has not committed is not announced", async () => {
  await pool.query("begin; insert into list_generations (list, built_at, row_count) values ('leaderboard', now(), 0)");
  // Another session, as that of a reader would be.
  await aProcess().announce({ query: (text: string) => db.execute(text) } as unknown as Pool, "leaderboard");
  await pool.query("rollback");
  expect(sets).toBe(0);
});

describe("a cache that is away", () => {
  test("fails no job, and is told with the next run though nothing new was published", async () => {
    const announcer = aProcess();
    await aGeneration(db, "leaderboard", AT, 0);
    cacheIsAway = true;
    await announcer.announce(pool, "leaderboard");
    expect(warnings).toHaveLength(1);
    cacheIsAway = false;
    await announcer.announce(pool, "leaderboard");
    expect(wordOf("leaderboard")).toBeDefined();
  });

  test("nor does a database that is", async () => {
    const broken = { query: () => Promise.reject(new Error("closed")) } as unknown as Pool;
    await aProcess().announce(broken, "leaderboard");
    expect(warnings).toHaveLength(1);
  });
});

test("a process that is started again says once more what it finds, in a word of its own", async () => {
  await aGeneration(db, "leaderboard", AT, 0);
  await aProcess().announce(pool, "leaderboard");
  const first = wordOf("leaderboard");
  now += 1;
  await aProcess().announce(pool, "leaderboard");
  expect(wordOf("leaderboard")).not.toBe(first);
});
