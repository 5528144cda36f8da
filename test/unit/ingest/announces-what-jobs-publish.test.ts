import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { expect, test } from "vitest";
import { GENERATIONS, generationKey, type GenerationName } from "../../../src/domain/generations.ts";
import { JOBS, type JobName } from "../../../src/domain/jobs.ts";
import { Announcer } from "../../../src/ingest/announce-generations.ts";
import type { Cache } from "../../../src/ports/cache.ts";
import { createDatabaseCopy } from "../../support/database-copies.ts";
import { aBusyProvider, aCrowd } from "../../support/ingest/job-world.ts";
import { runOneJob } from "../../support/ingest/run-one-job.ts";

/** What readers are given of each, without what changes in place beside it. */
const CONTENT: Readonly<Record<GenerationName, string>> = {
  leaderboard: "select r.* from leaderboard_entries r",
  trending: "select r.* from trending_entries r",
  explore: "select r.* from explore_entries r",
  large_positions: "select r.* from large_position_entries r",
  flows: "select r.* from flow_entries r",
  reports: "select r.* from report_snapshots r",
  suspicious_trades: "select r.* from suspicious_trades r",
  candles: "select r.* from outcome_days r",
  large_trades: "select r.id from large_trades r",
  results: "select r.condition_id, r.payouts_ppm from markets r where r.payouts_ppm is not null",
};

/** What the others build on; all jobs run after these, and once more when there are large holdings. */
const FIRST: readonly JobName[] = [
  "market_walk",
  "taker_feed",
  "fill_feed",
  "market_hydration",
  "boards",
  "wallet_sync",
  "resolutions",
  "books",
];

async function contents(pool: Pool): Promise<Record<string, string>> {
  const digests = GENERATIONS.map(
    (name) => `(select md5(coalesce(string_agg(c::text, ';' order by c::text), '')) from (${CONTENT[name]}) c) as ${name}`,
  );
  const { rows } = await pool.query(`select ${digests.join(", ")}`);
  return rows[0];
}

test("whatever a job changes of what answers rest on is announced with its run", { timeout: 120_000 }, async () => {
  const database = await createDatabaseCopy();
  // Ingest uses what both drivers have.
  const pool = new pg.Pool({ connectionString: database.url, max: 1 }) as unknown as Pool;
  const told = new Map<string, string>();
  const cache = { set: async (key: string, value: string) => void told.set(key, value) } as Partial<Cache> as Cache;
  const log = { info: () => undefined, warn: (message: string) => expect.fail(message), error: () => undefined };
  const announcer = new Announcer(cache, Date.now, log);
  const provider = aBusyProvider(Math.floor(Date.now() / 1000));
  const changed = new Set<string>();
  const run = async (job: JobName) => {
    const [before, words] = [await contents(pool), new Map(told)];
    await runOneJob(job, { pool, provider, queue: [], now: Date.now() + 3_600_000 });
    await announcer.announce(pool, job);
    const after = await contents(pool);
    for (const name of GENERATIONS.filter((generation) => before[generation] !== after[generation])) {
      changed.add(name);
      expect(told.get(generationKey(name)), `${name}, by ${job}`).not.toBe(words.get(generationKey(name)));
    }
  };
  try {
    for (const job of FIRST) await run(job);
    await aCrowd(pool);
    for (const { name } of JOBS) await run(name);
    await pool.query(
      `update traders set grade = 'A' where id in (select trader_id from wallet_syncs where complete_at is not null and gaps = '{}');
       update positions set shares_micro = shares_micro * 1000000, value_micro = value_micro * 1000000 where settled_micro is null and value_micro > 0`,
    );
    for (const { name } of JOBS) await run(name);
  } finally {
    await pool.end();
  }
  // No trade of this world is suspicious.
  expect([...changed].toSorted()).toEqual(GENERATIONS.filter((name) => name !== "suspicious_trades").toSorted());
});
