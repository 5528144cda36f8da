import type { Pool } from "@neondatabase/serverless";
import { DISPOSABLE_SEALING, openJobContext } from "../job-context.ts";
import { sessionOf } from "../../../src/db/client.ts";
import { recordHeartbeat } from "../../../src/db/heartbeats.ts";
import { handleMessage } from "../../../src/ingest/queue/handle-message.ts";
import { RowIdCache } from "../../../src/ingest/feeds/row-id-cache.ts";
import { PagePrefetcher } from "../../../src/ingest/feeds/page-prefetcher.ts";
import { runJob, type JobName } from "../../../src/jobs/registry.ts";
import type { IngestMessage } from "../../../src/messages/ingest-message.ts";
import type { Provider } from "../../../src/platform/provider.ts";

/** Every job in the order of dependencies: jobs that follow from the trades first, lists last. */
export const JOBS_IN_ORDER: readonly JobName[] = [
  ...([
    "walk_markets",
    "read_taker_trades",
    "read_all_trades",
    "build_trending",
    "hydrate_markets",
    "follow_chain",
    "sync_traders",
    "read_combos",
    "check_results",
    "read_games",
    "read_live_games",
    "apply_scores",
  ] as const),
  ...([
    "score_markets",
    "estimate_population",
    "grade_traders",
    "build_candles",
    "value_positions",
    "profile_traders",
    "refresh_books",
    "judge_trades",
    "measure_traders",
  ] as const),
  ...([
    "build_leaderboard",
    "build_explore",
    "build_flows",
    "build_large_positions",
    "scan_holders",
    "build_edge",
    "build_reports",
    "publish_picks",
    "record_pick_closes",
    "settle_picks",
    "build_record",
    "archive_days",
    "publish_iceberg",
    "retire_archived",
    "sweep_exports",
    "prune_outbox",
  ] as const),
];

/** The lists to rebuild on an earlier load, because they depend on the current time. */
export const LIST_JOBS: readonly JobName[] = [
  "read_taker_trades",
  "read_all_trades",
  "build_leaderboard",
  "build_explore",
  "build_flows",
  "build_large_positions",
  "build_reports",
];

/**
 * Provider figures become due this long after a trader's first sync; the benchmark shifts its clock instead
 * of waiting.
 */
const FIGURES_AFTER_MS = 900_000;

export interface JobRun {
  readonly pool: Pool;
  readonly provider: Provider;
  readonly print: (line: string) => void;
}

/** Runs jobs and all messages they enqueue until none has more work. */
export async function runEveryJob(run: JobRun, jobs: readonly JobName[] = JOBS_IN_ORDER): Promise<void> {
  for (const job of jobs) {
    const startedAt = performance.now();
    const messages = await drainJob(job, run);
    await recordHeartbeat(sessionOf(run.pool), job);
    run.print(`${job}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${messages} messages`);
  }
}

/** @returns how many messages the job enqueued */
async function drainJob(job: JobName, { pool, provider }: JobRun): Promise<number> {
  const rowIds = new RowIdCache();
  const prefetcher = new PagePrefetcher();
  const early = job === "measure_traders" ? FIGURES_AFTER_MS : 0;
  let handled = 0;
  for (let turn = 0; ; turn++) {
    const queue: IngestMessage[] = [];
    const now = () => Date.now() - (turn === 0 ? early : 0);
    const enqueue = async (messages: readonly IngestMessage[]) => void queue.push(...messages);
    const run = { pool, provider, enqueue, rowIds, prefetcher, now, backfillDays: 1, sealing: DISPOSABLE_SEALING };
    const more = await runJob(job, openJobContext(run));
    for (const message of queue)
      await handleMessage(message, { pool, provider, rowIds: rowIds, now: () => new Date(now()) });
    handled += queue.length;
    // The ranking of all profiles is enqueued again until enough time has passed, so it is no sign of more
    // work.
    const isBusy = more || queue.some(({ kind }) => kind !== "rank_profiles" && kind !== "refresh_books");
    if (!isBusy && !(early > 0 && turn === 0)) return handled;
  }
}
