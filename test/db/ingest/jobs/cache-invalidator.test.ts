import type { Pool } from "@neondatabase/serverless";
import { beforeEach, describe, expect, test } from "vitest";
import { inTransaction, type Database } from "../../../../src/db/client.ts";
import { ingestCheckpoints, recordPeriods, reportSnapshots } from "../../../../src/db/schema.ts";
import { CACHE_TAGS, cacheVersionKey, type CacheTag } from "../../../../src/domain/cache-tags.ts";
import { findJob, type JobName } from "../../../../src/jobs/registry.ts";
import { CacheInvalidator } from "../../../../src/jobs/publish-cache-versions.ts";
import { recordResultsVersion } from "../../../../src/ingest/markets/results/record-results-version.ts";
import { CacheUnavailable, type Cache } from "../../../../src/platform/redis/cache.ts";
import { openTestDatabase } from "../../../support/database/database.ts";
import { aLargeTrade } from "../../../support/seed/large-trades.ts";
import { aGeneration } from "../../../support/seed/lists.ts";
import { someRecord } from "../../../support/seed/record.ts";
import { aSuspiciousTrade } from "../../../support/seed/signals.ts";

const AT = new Date("2026-11-20T12:00:00Z");

/** A change that is published, and the job that publishes it. */
interface Publication {
  readonly name: CacheTag;
  readonly job: JobName;
  readonly what: string;
  readonly publish: (db: Database) => Promise<unknown>;
}

const aList = (name: CacheTag, job: JobName, list: string): Publication => ({
  name,
  job,
  what: `a generation of ${list}`,
  publish: (db) => aGeneration(db, list, AT, 0),
});

const report = (facts: Partial<typeof reportSnapshots.$inferInsert>) => (db: Database) => {
  const day = { kind: "daily", period: "2026-11-20", startOn: "2026-11-20", endOn: "2026-11-20" };
  const row = {
    ...day,
    version: 1,
    status: "rolling",
    generatedAt: AT,
    sourceReadStartedAt: AT,
    basis: "x",
    report: {},
    ...facts,
  };
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

const anEnd = () => inTransaction(pool, recordResultsVersion);

/** Run in this order over one database. */
const PUBLICATIONS: readonly Publication[] = [
  aList("leaderboard", "build_leaderboard", "leaderboard"),
  aList("trending", "build_trending", "trending:7d"),
  aList("trending", "build_trending", "trending:30d"),
  aList("explore", "build_explore", "explore"),
  aList("large_positions", "build_large_positions", "large_positions"),
  ...["1h", "4h", "24h", "7d"].map((window) => aList("flows", "build_flows", `flows:${window}`)),
  { name: "reports", job: "build_reports", what: "a first report", publish: report({}) },
  { name: "reports", job: "build_reports", what: "a second one", publish: report({ period: "2026-11-19" }) },
  { name: "reports", job: "build_reports", what: "another version", publish: report({ version: 2 }) },
  { name: "reports", job: "build_reports", what: "a version that is final", publish: report({ status: "final" }) },
  { name: "record", job: "build_record", what: "a first record", publish: someRecord },
  { name: "record", job: "build_record", what: "a later change", publish: laterRecord },
  { name: "candles", job: "build_candles", what: "days up to an entry", publish: candlesTo(7) },
  { name: "candles", job: "build_candles", what: "days up to a later one", publish: candlesTo(8) },
  { name: "large_trades", job: "read_taker_trades", what: "a large trade", publish: (db) => aLargeTrade(db) },
  { name: "large_trades", job: "read_all_trades", what: "another one", publish: (db) => aLargeTrade(db) },
  { name: "suspicious_trades", job: "judge_trades", what: "a flag", publish: (db) => aSuspiciousTrade(db) },
  { name: "results", job: "check_results", what: "an end or a result", publish: anEnd },
  { name: "results", job: "check_results", what: "another one", publish: anEnd },
];

async function laterRecord(db: Database): Promise<void> {
  await db.update(recordPeriods).set({ changedAt: new Date("2026-11-20T12:10:00Z") });
}

let db: Database;
let pool: Pool;
let versions: Map<string, string>;
let sets: number;
let warnings: string[];
let isCacheDown: boolean;
let now: number;

const cache = {
  set: async (key: string, value: string) => {
    if (isCacheDown) throw new CacheUnavailable("down");
    sets += 1;
    versions.set(key, value);
  },
} as Partial<Cache> as Cache;

const log = { info: () => undefined, error: () => undefined, warn: (message: string) => void warnings.push(message) };
const publishedBy = (job: JobName) => findJob(job).publishes ?? [];
const aProcess = () => new CacheInvalidator(cache, () => now, log);
const versionOf = (name: CacheTag) => versions.get(cacheVersionKey(name));

beforeEach(async () => {
  ({ db, pool } = await openTestDatabase());
  [versions, sets, warnings, isCacheDown, now] = [new Map(), 0, [], false, AT.getTime()];
});

test("each publication changes the version of its cache tag, and a run that publishes nothing writes no version", async () => {
  const invalidator = aProcess();
  for (const { name, job, what, publish } of PUBLICATIONS) {
    await invalidator.publishVersions(pool, publishedBy(job));
    const [before, others] = [versionOf(name), sets];
    await publish(db);
    for (const _ of ["its run", "a run without work"]) await invalidator.publishVersions(pool, publishedBy(job));
    const version = versionOf(name);
    expect({ what, isChanged: version !== undefined && version !== before, sets }).toEqual({
      what,
      isChanged: true,
      sets: others + 1,
    });
  }
  expect([...versions.keys()].toSorted()).toEqual(CACHE_TAGS.map(cacheVersionKey).toSorted());
  expect(warnings).toEqual([]);
});

test("no cache version is written before anything is published or after the run of a job that publishes nothing", async () => {
  for (const { job } of PUBLICATIONS) await aProcess().publishVersions(pool, publishedBy(job));
  await aGeneration(db, "leaderboard", AT, 0);
  await aProcess().publishVersions(pool, publishedBy("sync_traders"));
  expect(sets).toBe(0);
});

test("an uncommitted publication does not change a cache version", async () => {
  await pool.query("begin; insert into list_generations (list, built_at, row_count) values ('leaderboard', now(), 0)");
  // Another session, like a reader's.
  await aProcess().publishVersions({ query: (text: string) => db.execute(text) } as unknown as Pool, ["leaderboard"]);
  await pool.query("rollback");
  expect(sets).toBe(0);
});

describe("failures while publishing cache versions", () => {
  test("an unavailable cache fails no job, and the version is written after the next run without a new publication", async () => {
    const invalidator = aProcess();
    await aGeneration(db, "leaderboard", AT, 0);
    isCacheDown = true;
    await invalidator.publishVersions(pool, ["leaderboard"]);
    expect(warnings).toHaveLength(1);
    isCacheDown = false;
    await invalidator.publishVersions(pool, ["leaderboard"]);
    expect(versionOf("leaderboard")).toBeDefined();
  });

  test("an unavailable database fails no job while publishing cache versions", async () => {
    const broken = { query: () => Promise.reject(new Error("closed")) } as unknown as Pool;
    await aProcess().publishVersions(broken, ["leaderboard"]);
    expect(warnings).toHaveLength(1);
  });
});

test("a restarted process publishes a new version of the current state", async () => {
  await aGeneration(db, "leaderboard", AT, 0);
  await aProcess().publishVersions(pool, ["leaderboard"]);
  const first = versionOf("leaderboard");
  now += 1;
  await aProcess().publishVersions(pool, ["leaderboard"]);
  expect(versionOf("leaderboard")).not.toBe(first);
});
