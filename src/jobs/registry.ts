import { readAllTradesJob } from "./definitions/feed/read-all-trades-job.ts";
import { readTakerTradesJob } from "./definitions/feed/read-taker-trades-job.ts";
import { buildCandlesJob } from "./definitions/figures/build-candles-job.ts";
import { buildFlowsJob } from "./definitions/figures/build-flows-job.ts";
import { estimatePopulationJob } from "./definitions/figures/estimate-population-job.ts";
import { gradeTradersJob } from "./definitions/figures/grade-traders-job.ts";
import { judgeTradesJob } from "./definitions/figures/judge-trades-job.ts";
import { profileTradersJob } from "./definitions/figures/profile-traders-job.ts";
import { scanHoldersJob } from "./definitions/figures/scan-holders-job.ts";
import { scoreMarketsJob } from "./definitions/figures/score-markets-job.ts";
import { valuePositionsJob } from "./definitions/figures/value-positions-job.ts";
import { applyScoresJob } from "./definitions/games/apply-scores-job.ts";
import { readGamesJob } from "./definitions/games/read-games-job.ts";
import { readLiveGamesJob } from "./definitions/games/read-live-games-job.ts";
import { buildEdgeJob } from "./definitions/lists/build-edge-job.ts";
import { buildExploreJob } from "./definitions/lists/build-explore-job.ts";
import { buildLargePositionsJob } from "./definitions/lists/build-large-positions-job.ts";
import { buildLeaderboardJob } from "./definitions/lists/build-leaderboard-job.ts";
import { buildRecordJob } from "./definitions/lists/build-record-job.ts";
import { buildReportsJob } from "./definitions/lists/build-reports-job.ts";
import { buildTrendingJob } from "./definitions/lists/build-trending-job.ts";
import { publishPicksJob } from "./definitions/lists/publish-picks-job.ts";
import { recordPickClosesJob } from "./definitions/lists/record-pick-closes-job.ts";
import { settlePicksJob } from "./definitions/lists/settle-picks-job.ts";
import { archiveDaysJob } from "./definitions/maintenance/archive-days-job.ts";
import { checkResultsJob } from "./definitions/maintenance/check-results-job.ts";
import { followChainJob } from "./definitions/maintenance/follow-chain-job.ts";
import { hydrateMarketsJob } from "./definitions/maintenance/hydrate-markets-job.ts";
import { measureTradersJob } from "./definitions/maintenance/measure-traders-job.ts";
import { pruneOutboxJob } from "./definitions/maintenance/prune-outbox-job.ts";
import { publishIcebergJob } from "./definitions/maintenance/publish-iceberg-job.ts";
import { readCombosJob } from "./definitions/maintenance/read-combos-job.ts";
import { refreshBooksJob } from "./definitions/maintenance/refresh-books-job.ts";
import { retireArchivedJob } from "./definitions/maintenance/retire-archived-job.ts";
import { sweepExportsJob } from "./definitions/maintenance/sweep-exports-job.ts";
import { syncTradersJob } from "./definitions/maintenance/sync-traders-job.ts";
import { walkMarketsJob } from "./definitions/maintenance/walk-markets-job.ts";
import type { Config } from "../config.ts";
import type { Lane } from "../domain/lanes.ts";
import type { JobContext, JobDefinition } from "./define-job.ts";

/**
 * All jobs. Where two of a lane are due at the same time, the earlier row runs first: the provider's
 * leaderboards name traders to follow, and the walk over open markets describes most of what trades name.
 */
export const JOBS = [
  buildTrendingJob,
  walkMarketsJob,
  readTakerTradesJob,
  readAllTradesJob,
  applyScoresJob,
  readLiveGamesJob,
  readGamesJob,
  hydrateMarketsJob,
  followChainJob,
  syncTradersJob,
  readCombosJob,
  checkResultsJob,
  refreshBooksJob,
  scoreMarketsJob,
  estimatePopulationJob,
  gradeTradersJob,
  profileTradersJob,
  buildLeaderboardJob,
  buildExploreJob,
  judgeTradesJob,
  buildCandlesJob,
  buildFlowsJob,
  valuePositionsJob,
  buildLargePositionsJob,
  scanHoldersJob,
  buildEdgeJob,
  measureTradersJob,
  buildReportsJob,
  publishPicksJob,
  recordPickClosesJob,
  settlePicksJob,
  buildRecordJob,
  archiveDaysJob,
  publishIcebergJob,
  retireArchivedJob,
  sweepExportsJob,
  pruneOutboxJob,
] as const;

export type JobName = (typeof JOBS)[number]["name"];

/** A job as the schedule and health see it. */
export type Job = JobDefinition<JobName>;

/** @throws Error for a name that no job has */
export function findJob(name: string): Job {
  const job = JOBS.find((declared) => declared.name === name);
  if (job === undefined) throw new Error(`no job is named ${name}`);
  return job;
}

/** Runs one job to its next stop. @returns whether more of the same is left */
export const runJob = (name: JobName, context: JobContext): Promise<boolean> => findJob(name).run(context);

export const listLane = (lane: Lane): readonly Job[] => JOBS.filter((job) => job.lane === lane);

type JobSettings = Pick<Config, "heavyJobs" | "archiveSigningKey" | "archiveRetentionDays" | "iceberg" | "chain">;

/** The jobs that the settings switch on, paused or not. */
export const listConfiguredJobs = (settings: JobSettings): readonly Job[] =>
  JOBS.filter(({ onlyWith }: Job) => onlyWith === undefined || settings[onlyWith] !== null);

/** The configured jobs that do not run: switched off, or without the key that they sign with. */
export const listPausedJobs = (settings: JobSettings): readonly JobName[] =>
  listConfiguredJobs(settings)
    .filter(
      (job) =>
        (job.heavy === true && !settings.heavyJobs) ||
        (job.needsSigningKey === true && settings.archiveSigningKey === null),
    )
    .map(({ name }) => name);

/** The configured jobs that are not paused. */
export function listRunningJobs(settings: JobSettings): readonly Job[] {
  const paused = listPausedJobs(settings);
  return listConfiguredJobs(settings).filter(({ name }) => !paused.includes(name));
}
