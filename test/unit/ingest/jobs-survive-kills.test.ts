import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { createRandom } from "../../../scripts/provider/simulate/random.ts";
import { JOBS, type JobName } from "../../../src/domain/jobs.ts";
import type { IngestMessage } from "../../../src/messages/ingest.ts";
import { createDatabaseCopy, type DatabaseCopy } from "../../support/database-copies.ts";
import { aBusyProvider, aCrowd, wantedHolders } from "../../support/ingest/job-world.ts";
import { letAnHourPass, runOneJob } from "../../support/ingest/run-one-job.ts";
import { readWholeDatabase, type WholeDatabase } from "../../support/ingest/whole-database.ts";

/*
 * Every job of the registry, killed and started again: at two steps a job, drawn by a seed, or with KILLS=all at every single one.
 *   KILL_SEED=7 KILLS=all npx vitest run --config test/vitest.config.ts --project unit test/unit/ingest/jobs-survive-kills.test.ts
 */
const SEED = Number(process.env["KILL_SEED"] ?? Date.now() % 1_000_000);
const KILLS = process.env["KILLS"] === "all" ? Infinity : Number(process.env["KILLS"] ?? 2);

/** What a job has to find, besides what the jobs before it have left; and a table it fills or changes, which proves that it had work. */
interface Row {
  readonly given?: (pool: Pool) => Promise<void>;
  readonly writes: string;
}

/** In an order in which each finds work. A job without a row fails the first test. */
const ROWS: Readonly<Record<JobName, Row>> = {
  market_walk: { writes: "markets" },
  taker_feed: { writes: "ledger_entries" },
  fill_feed: { writes: "positions" },
  market_hydration: { writes: "markets" },
  boards: { writes: "trending_entries" },
  wallet_sync: { writes: "wallet_activity" },
  resolutions: { writes: "trader_days" },
  books: { writes: "outcomes" },
  skill: { writes: "skill_markets" },
  population: { given: aCrowd, writes: "skill_populations" },
  grades: { writes: "trader_grades" },
  profiles: { writes: "trader_profiles" },
  leaderboard: { writes: "leaderboard_entries" },
  explore: { writes: "explore_entries" },
  suspicion: { writes: "large_trades" },
  candles: { writes: "outcome_days" },
  flows: { writes: "flow_entries" },
  values: { writes: "positions" },
  large_positions: { given: largeHoldings, writes: "large_position_entries" },
  holders: { given: wantedHolders, writes: "market_holders" },
  provider_figures: { given: dueFigures, writes: "provider_figures" },
  reports: { writes: "report_snapshots" },
  outbox_pruning: { given: oldEvents, writes: "events" },
};
const NAMES = Object.keys(ROWS) as JobName[];

/** Ahead of the database's clock, so that what is done is not due again while the test runs. */
const NOW = Date.now() + 3_600_000;
const provider = aBusyProvider(Math.floor(Date.now() / 1000));
/** What each job finds, and what it leaves undisturbed, in how many steps. */
const found = new Map<JobName, { database: DatabaseCopy; before: WholeDatabase; after: WholeDatabase; steps: number }>();

/** A graded wallet, whose history has been read, holds enough. */
async function largeHoldings(pool: Pool): Promise<void> {
  await pool.query(
    `update traders set grade = 'A' where id in (select trader_id from wallet_syncs where complete_at is not null and gaps = '{}');
     update positions set shares_micro = shares_micro * 1000000, value_micro = value_micro * 1000000 where settled_micro is null and value_micro > 0`,
  );
}

/** The first half of what was announced is older than it is kept, and transactions of other databases keep none of it back any more. */
async function oldEvents(pool: Pool): Promise<void> {
  const HELD = `select from events where commit_xid >= pg_snapshot_xmin(pg_current_snapshot())`;
  while ((await pool.query(HELD)).rows.length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await pool.query(`update events set created_at = now() - interval '8 days' where id <= (select max(id) / 2 from events)`);
}

/** Every wallet whose history has been read is due to be measured. */
async function dueFigures(pool: Pool): Promise<void> {
  await pool.query(
    `insert into provider_figures (trader_id, due_at) select trader_id, now() from wallet_syncs where complete_at is not null`,
  );
}

async function withPool<T>(database: DatabaseCopy, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  pool.on("error", () => undefined);
  try {
    // Over TCP in place of a WebSocket, which takes half the time. Ingest uses what both drivers have.
    return await work(pool as unknown as Pool);
  } finally {
    await pool.end();
  }
}

function reached(job: JobName) {
  const own = found.get(job);
  if (own === undefined) throw new Error(`${job} was not reached`);
  return own;
}

beforeAll(async () => {
  console.info(`jobs are killed by seed ${SEED}`);
  let next = await createDatabaseCopy();
  for (const job of NAMES) {
    const database = next;
    const before = await withPool(database, async (pool) => {
      await ROWS[job].given?.(pool);
      return readWholeDatabase(pool);
    });
    next = await database.copy();
    const [steps, after] = await withPool(next, async (pool): Promise<[number, WholeDatabase]> => {
      const run = await runOneJob(job, { pool, provider, queue: [], now: NOW });
      return [run.steps, await readWholeDatabase(pool)];
    });
    found.set(job, { database, before, after, steps });
  }
}, 120_000);

test("every job of the registry has its row here", () => {
  expect(NAMES.toSorted()).toEqual(JOBS.map(({ name }) => name).toSorted());
});

describe("a job that is killed and started again ends where it ends undisturbed", () => {
  test.for(NAMES)("%s", { timeout: 600_000 }, async (job) => {
    const { database, before, after, steps } = reached(job);
    expect(after[ROWS[job].writes]).not.toEqual(before[ROWS[job].writes]);
    for (const { dieAfter, losesQueue } of drawKills(job, steps)) {
      const copy = await database.copy();
      const ended = await withPool(copy, async (pool) => {
        const queue: IngestMessage[] = [];
        const { died } = await runOneJob(job, { pool, provider, queue, now: NOW }, dieAfter);
        expect(died).toBe(true);
        // A message may be lost with its process; what it stood for is handed out again after a while.
        if (losesQueue) queue.length = 0;
        await letAnHourPass(pool);
        await runOneJob(job, { pool, provider, queue, now: NOW });
        return readWholeDatabase(pool);
      });
      await copy.drop();
      expect(ended, `killed after step ${dieAfter} of ${steps}, queue ${losesQueue ? "lost" : "kept"}, seed ${SEED}`).toEqual(after);
    }
  });
});

/** So many different steps, or all of them; half of the time the queue dies with the process. */
function drawKills(job: JobName, steps: number): { dieAfter: number; losesQueue: boolean }[] {
  const random = createRandom(SEED, job);
  const left = Array.from({ length: steps }, (_, index) => index + 1);
  const drawn: number[] = [];
  while (left.length > 0 && drawn.length < KILLS) drawn.push(...left.splice(random.integer(0, left.length - 1), 1));
  return drawn.map((dieAfter) => ({ dieAfter, losesQueue: random.chance(0.5) }));
}
