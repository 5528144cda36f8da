import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { createRandom } from "../../../../scripts/provider/simulate/random.ts";
import { JOBS, type JobName } from "../../../../src/jobs/registry.ts";
import type { IngestMessage } from "../../../../src/messages/ingest-message.ts";
import { MemoryCatalog } from "../../../support/archive/iceberg-catalog.ts";
import { createDatabaseCopy, type DatabaseCopy } from "../../../support/database/database-copies.ts";
import { JOB_CHAIN_START } from "../../../support/ingest/worlds/job-chain.ts";
import { aBusyProvider, aCrowd, requestHolders } from "../../../support/ingest/worlds/job-world.ts";
import { booksBeforeKickoff, pickableGames, pickedMarketResolves } from "../../../support/ingest/worlds/pick-world.ts";
import { letAnHourPass, runOneJob } from "../../../support/ingest/run-one-job.ts";
import { readWholeDatabase, type WholeDatabase } from "../../../support/ingest/whole-database.ts";

/*
 * Every job of the registry is killed and started again: at two random steps per job, or with KILLS=all at
 * every step.
 *   TEST_SEED=7 KILLS=all npx vitest run --config test/vitest.config.ts \
 *     --project db test/db/ingest/jobs/jobs-survive-kills.test.ts
 */
const SEED = inject("seed");
const KILLS = process.env["KILLS"] === "all" ? Infinity : Number(process.env["KILLS"] ?? 2);

/**
 * State that a job needs beyond that of the jobs before it, and a table that it writes, which proves that it
 * had work.
 */
interface JobCase {
  readonly given?: (pool: Pool) => Promise<void>;
  readonly writes: string;
  /** The job whose files it reads. */
  readonly reads?: JobName;
}

/** Ordered so that each job finds work. A job without a case fails the first test. */
const CASES: Readonly<Record<JobName, JobCase>> = {
  walk_markets: { writes: "markets" },
  read_taker_trades: { writes: "ledger_entries" },
  read_all_trades: { writes: "positions" },
  follow_chain: { given: comparedBlocks, writes: "chain_pending_fills" },
  read_games: { writes: "games" },
  read_live_games: { writes: "games" },
  apply_scores: { given: dueChanges, writes: "events" },
  hydrate_markets: { writes: "markets" },
  build_trending: { writes: "trending_entries" },
  sync_traders: { writes: "trader_activity" },
  read_combos: { given: dueCombos, writes: "combo_legs" },
  check_results: { writes: "trader_days" },
  refresh_books: { writes: "outcomes" },
  score_markets: { writes: "skill_markets" },
  estimate_population: { given: aCrowd, writes: "skill_populations" },
  grade_traders: { writes: "trader_grades" },
  profile_traders: { writes: "trader_profiles" },
  build_leaderboard: { writes: "leaderboard_entries" },
  build_explore: { writes: "explore_entries" },
  judge_trades: { writes: "large_trades" },
  build_candles: { writes: "outcome_days" },
  build_flows: { writes: "flow_entries" },
  value_positions: { writes: "positions" },
  build_large_positions: { given: largeHoldings, writes: "large_position_entries" },
  scan_holders: { given: requestHolders, writes: "market_holders" },
  build_edge: { given: aBackedGame, writes: "edge_entries" },
  measure_traders: { given: dueFigures, writes: "provider_figures" },
  build_reports: { writes: "report_snapshots" },
  publish_picks: { given: (pool) => pickableGames(pool, NOW), writes: "pick_commitments" },
  record_pick_closes: { given: (pool) => booksBeforeKickoff(pool, NOW), writes: "pick_closes" },
  settle_picks: { given: pickedMarketResolves, writes: "pick_revisions" },
  build_record: { writes: "record_periods" },
  archive_days: { given: recordedDaysAgo, writes: "archive_days" },
  publish_iceberg: { reads: "archive_days", writes: "iceberg_tables" },
  retire_archived: { reads: "archive_days", writes: "archive_retirements" },
  sweep_exports: { given: lateExports, writes: "export_jobs" },
  prune_outbox: { given: oldEvents, writes: "events" },
};
const NAMES = Object.keys(CASES) as JobName[];

/** Ahead of the database's clock, so that finished work is not due again during the test. */
const NOW = Date.now() + 3_600_000;
const provider = aBusyProvider(Math.floor(Date.now() / 1000));
type Files = ReadonlyMap<string, Uint8Array>;

/**
 * The state before and after each job without a kill, with its number of steps and the files that it stored.
 */
const uninterrupted = new Map<
  JobName,
  { database: DatabaseCopy; before: WholeDatabase; after: WholeDatabase; steps: number; files: Files }
>();

/** Gives graded traders with complete histories large positions. */
async function largeHoldings(pool: Pool): Promise<void> {
  await pool.query(
    `update traders set grade = 'A' where id in (select trader_id from trader_syncs where complete_at is not null and gaps = '{}');
     update positions set shares_micro = shares_micro * 1000000, value_micro = value_micro * 1000000 where settled_micro is null and value_micro > 0`,
  );
}

/** Makes an open market a game's, with one holder of a good grade. The scan stays recent during the test. */
async function aBackedGame(pool: Pool): Promise<void> {
  await pool.query(
    `insert into games (provider_game_id, event_slug, sport, scheduled_at, competitors, observed_at)
       values ('g1', 'game-1', 'Soccer', now() + interval '5 hours', '[]', now() + interval '3 hours');
     update markets set game_id = 'g1', market_type = 'moneyline' where id = (
       select max(id) from markets where not closed and condition_id not like '0x03%');
     insert into holder_scans (market_id, requested_at, fetched_at)
       select id, now() - interval '1 day', now() + interval '3 hours' from markets where game_id = 'g1'
       on conflict (market_id) do update set fetched_at = excluded.fetched_at, last_error = null;
     delete from market_holders where market_id in (select id from markets where game_id = 'g1');
     insert into market_holders (market_id, trader_id, outcome_index, shares_micro)
       select m.id, t.id, 0, 900000000000 from markets m, (select min(id) as id from traders where grade = 'A') t
       where m.game_id = 'g1'`,
  );
}

/**
 * Makes the first half of the events older than the retention, once no transaction of another database holds
 * them back.
 */
async function oldEvents(pool: Pool): Promise<void> {
  const UNREADABLE = `select from events where commit_xid >= pg_snapshot_xmin(pg_current_snapshot())`;
  while ((await pool.query(UNREADABLE)).rows.length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await pool.query(
    `update events set created_at = now() - interval '8 days' where id <= (select max(id) / 2 from events)`,
  );
}

/** Makes what was recorded part of a day that has closed. */
async function recordedDaysAgo(pool: Pool): Promise<void> {
  await pool.query(
    `update ledger_entries set recorded_at = recorded_at - interval '3 days';
     update large_trades set recorded_at = recorded_at - interval '3 days';
     update trader_grades set published_at = published_at - interval '3 days'`,
  );
}

/** A job whose file has expired, one that was never finished, and one that ended long ago. */
async function lateExports(pool: Pool): Promise<void> {
  await pool.query(
    `insert into accounts (email, plan) values ('files@example.test', 'pro') on conflict do nothing;
     insert into export_jobs (kind, account_id, format, request, request_key, state, created_at, expires_at, ended_at,
       max_attempts, due_at)
     select 'whale_dataset', a.id, 'ndjson', '{}', s.state, s.state, s.at, s.at + interval '1 day',
       case when s.state = 'queued' then null else s.at end, 3, s.at
     from accounts a, (values ('ready', now() - interval '2 days'), ('queued', now() - interval '2 days'),
       ('failed', now() - interval '9 days')) s(state, at)
     where a.email = 'files@example.test'`,
  );
}

/** Changes of two games whose publication was held back by the rate limit. Frames are in memory and die with the process. */
async function dueChanges(pool: Pool): Promise<void> {
  await pool.query(
    `update games set score = '9-9', pulse_due_at = now() where id in (select id from games order by provider_game_id limit 2)`,
  );
}

/** Makes the combos of every trader with a complete history due. */
async function dueCombos(pool: Pool): Promise<void> {
  await pool.query(`update trader_syncs set combos_due_at = now() where complete_at is not null`);
}

/** Makes every trader with a complete history due for measurement. */
async function dueFigures(pool: Pool): Promise<void> {
  await pool.query(
    `insert into provider_figures (trader_id, due_at) select trader_id, now() from trader_syncs where complete_at is not null`,
  );
}

/** The chain was compared up to its first block. */
async function comparedBlocks(pool: Pool): Promise<void> {
  await pool.query(`insert into ingest_checkpoints (feed, state) values ('chain:fills', $1)`, [JOB_CHAIN_START]);
}

async function withPool<T>(database: DatabaseCopy, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  pool.on("error", () => undefined);
  try {
    // Over TCP instead of a WebSocket, which takes half the time. Ingest only uses what both drivers support.
    return await work(pool as unknown as Pool);
  } finally {
    await pool.end();
  }
}

function filesBefore(job: JobName): Map<string, Uint8Array> {
  const { reads } = CASES[job];
  return new Map(reads === undefined ? [] : uninterruptedRun(reads).files);
}

function uninterruptedRun(job: JobName) {
  const own = uninterrupted.get(job);
  if (own === undefined) throw new Error(`${job} has no uninterrupted run`);
  return own;
}

beforeAll(async () => {
  let next = await createDatabaseCopy();
  for (const job of NAMES) {
    const database = next;
    const before = await withPool(database, async (pool) => {
      await CASES[job].given?.(pool);
      return readWholeDatabase(pool);
    });
    next = await database.copy();
    const files = filesBefore(job);
    const [steps, after] = await withPool(next, async (pool): Promise<[number, WholeDatabase]> => {
      const run = await runOneJob(job, { pool, provider, queue: [], now: NOW, files });
      return [run.steps, await readWholeDatabase(pool)];
    });
    uninterrupted.set(job, { database, before, after, steps, files });
  }
});

test("every job of the registry has a case here", () => {
  expect(NAMES.toSorted()).toEqual(JOBS.map(({ name }) => name).toSorted());
});

describe("killed jobs", () => {
  test.for(NAMES)(
    "the job %s ends in the same state when it is killed and started again",
    { timeout: 600_000 },
    async (job) => {
      const { database, before, after, steps, files } = uninterruptedRun(job);
      expect(after[CASES[job].writes]).not.toEqual(before[CASES[job].writes]);
      for (const { dieAfter, losesQueue } of drawKills(job, steps)) {
        const copy = await database.copy();
        const stored = filesBefore(job);
        const catalog = new MemoryCatalog();
        const ended = await withPool(copy, async (pool) => {
          const queue: IngestMessage[] = [];
          const { died } = await runOneJob(job, { pool, provider, queue, now: NOW, files: stored, catalog }, dieAfter);
          expect(died).toBe(true);
          // A message may be lost with its process; its work is enqueued again after a while.
          if (losesQueue) queue.length = 0;
          await letAnHourPass(pool);
          await runOneJob(job, { pool, provider, queue, now: NOW, files: stored, catalog });
          return readWholeDatabase(pool);
        });
        await copy.drop();
        expect(
          ended,
          `killed after step ${dieAfter} of ${steps}, queue ${losesQueue ? "lost" : "preserved"}, seed ${SEED}`,
        ).toEqual(after);
        expect(stored).toEqual(files);
      }
    },
  );
});

/** Random distinct steps, or all of them; in half of the cases the queue is lost with the process. */
function drawKills(job: JobName, steps: number): { dieAfter: number; losesQueue: boolean }[] {
  const random = createRandom(SEED, job);
  const left = Array.from({ length: steps }, (_, index) => index + 1);
  const kills: number[] = [];
  while (left.length > 0 && kills.length < KILLS) kills.push(...left.splice(random.integer(0, left.length - 1), 1));
  return kills.map((dieAfter) => ({ dieAfter, losesQueue: random.chance(0.5) }));
}
