import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { expect, test } from "vitest";
import { CACHE_TAGS, cacheVersionKey, type CacheTag } from "../../../../src/domain/cache-tags.ts";
import { findJob, JOBS, type JobName } from "../../../../src/jobs/registry.ts";
import { CacheInvalidator } from "../../../../src/jobs/publish-cache-versions.ts";
import type { Cache } from "../../../../src/platform/redis/cache.ts";
import { createDatabaseCopy } from "../../../support/database/database-copies.ts";
import { aBusyProvider, aCrowd } from "../../../support/ingest/worlds/job-world.ts";
import { runOneJob } from "../../../support/ingest/run-one-job.ts";

/** What readers get of each cache tag, without columns that change in place. */
const CONTENT: Readonly<Record<CacheTag, string>> = {
  leaderboard: "select r.* from leaderboard_entries r",
  trending: "select r.* from trending_entries r",
  explore: "select r.* from explore_entries r",
  large_positions: "select r.* from large_position_entries r",
  flows: "select r.* from flow_entries r",
  reports: "select r.* from report_snapshots r",
  record: "select r.* from record_periods r",
  suspicious_trades: "select r.* from suspicious_trades r",
  candles: "select r.* from outcome_days r",
  large_trades: "select r.id from large_trades r",
  results: "select r.condition_id, r.payouts_ppm from markets r where r.payouts_ppm is not null",
};

/** Jobs that the others build on. All jobs run after these, and once more with large positions. */
const FIRST: readonly JobName[] = [
  "walk_markets",
  "read_taker_trades",
  "read_all_trades",
  "hydrate_markets",
  "build_trending",
  "sync_traders",
  "check_results",
  "refresh_books",
];

async function contents(pool: Pool): Promise<Record<string, string>> {
  const digests = CACHE_TAGS.map(
    (name) =>
      `(select md5(coalesce(string_agg(c::text, ';' order by c::text), '')) from (${CONTENT[name]}) c) as ${name}`,
  );
  const { rows } = await pool.query(`select ${digests.join(", ")}`);
  return rows[0];
}

test(
  "every job that changes data behind a cache tag publishes a new version of the tag",
  { timeout: 240_000 },
  async () => {
    const database = await createDatabaseCopy();
    // Ingest only uses what both drivers support.
    const pool = new pg.Pool({ connectionString: database.url, max: 1 }) as unknown as Pool;
    const versions = new Map<string, string>();
    const cache = {
      set: async (key: string, value: string) => void versions.set(key, value),
    } as Partial<Cache> as Cache;
    const log = { info: () => undefined, warn: (message: string) => expect.fail(message), error: () => undefined };
    const invalidator = new CacheInvalidator(cache, Date.now, log);
    const provider = aBusyProvider(Math.floor(Date.now() / 1000));
    const changed = new Set<string>();
    const run = async (job: JobName) => {
      const [before, versionsBefore] = [await contents(pool), new Map(versions)];
      await runOneJob(job, { pool, provider, queue: [], now: Date.now() + 3_600_000 });
      await invalidator.publishVersions(pool, findJob(job).publishes ?? []);
      const after = await contents(pool);
      for (const name of CACHE_TAGS.filter((generation) => before[generation] !== after[generation])) {
        changed.add(name);
        expect(versions.get(cacheVersionKey(name)), `${name}, by ${job}`).not.toBe(
          versionsBefore.get(cacheVersionKey(name)),
        );
      }
    };
    try {
      for (const job of FIRST) await run(job);
      await aCrowd(pool);
      for (const { name } of JOBS) await run(name);
      await pool.query(
        `update traders set grade = 'A' where id in (select trader_id from trader_syncs where complete_at is not null and gaps = '{}');
       update positions set shares_micro = shares_micro * 1000000, value_micro = value_micro * 1000000 where settled_micro is null and value_micro > 0`,
      );
      for (const { name } of JOBS) await run(name);
    } finally {
      await pool.end();
    }
    // No trade of this world is suspicious.
    expect([...changed].toSorted()).toEqual(CACHE_TAGS.filter((name) => name !== "suspicious_trades").toSorted());
  },
);
