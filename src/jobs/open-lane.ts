import { parseConfig } from "../config.ts";
import { openPool, sessionOf } from "../db/client.ts";
import { requireCurrentSchema } from "../db/schema-version.ts";
import type { Env } from "../env.ts";
import { CacheInvalidator } from "./publish-cache-versions.ts";
import { AlarmLoop } from "../lib/timing/alarm-loop.ts";
import { consoleLog, describeError } from "../platform/log/console-log.ts";
import { scheduleLane } from "../platform/objects/lanes.ts";
import { RedisCache } from "../platform/redis/redis-cache.ts";
import { openRedis } from "../platform/redis/redis-client.ts";
import { openMetrics } from "../platform/metrics/open-metrics.ts";
import { wakeOutboxReaders } from "../platform/objects/wake-outbox-readers.ts";
import type { Lane } from "../domain/lanes.ts";
import { LaneRunner, type LaneOptions } from "./lane-runner.ts";
import type { ScoreFrames } from "../ingest/games/score-frames.ts";
import { openJobContext } from "./open-context.ts";
import { findJob, listRunningJobs } from "./registry.ts";

/**
 * The alarm fires again after this when a turn never returns: a turn starts its last statement within 5 s,
 * and a statement ends within 20 s.
 */
const WATCHDOG_MS = 30_000;
const RETRY_MS = 5_000;

export interface OpenedLane {
  readonly runner: LaneRunner;
  readonly loop: AlarmLoop;
  /** Where the object puts the frames of the score socket. */
  readonly scoreFrames: ScoreFrames;
  /** Makes jobs of this lane due within a time, and moves the alarm to it. */
  readonly scheduleWithin: (jobs: readonly string[], withinMs: number) => Promise<void>;
}

/**
 * Wires one lane into its Durable Object: its jobs, an alarm loop, a session, and the ways to other lanes.
 */
export function openLane(
  lane: Lane,
  state: DurableObjectState,
  env: Env,
  { onIdle, onTurn }: Pick<LaneOptions, "onIdle"> & { readonly onTurn?: (runner: LaneRunner) => Promise<void> },
): OpenedLane {
  const config = parseConfig(env);
  const redis = openRedis(config.redisUrl, config.redisToken);
  const scheduleAny = (job: string, withinMs: number) => {
    const target = findJob(job).lane;
    const scheduled = target === lane ? scheduleWithin([job], withinMs) : scheduleLane(env, target, [job], withinMs);
    // A call that is lost delays the job until its turn.
    state.waitUntil(
      scheduled.catch((error: unknown) => consoleLog.warn("job.schedule_failed", { job, error: describeError(error) })),
    );
  };
  const context = openJobContext(config, env, scheduleAny);
  const runner = new LaneRunner({
    jobs: listRunningJobs(config).filter((job) => job.lane === lane),
    storage: state.storage,
    openPool: () => openPool(config),
    requireSchema: (pool) => requireCurrentSchema(config.databaseUrl, sessionOf(pool), consoleLog),
    context,
    invalidator: new CacheInvalidator(new RedisCache(redis, Date.now), Date.now, consoleLog),
    feedPollMs: config.feedPollMs,
    onEvents: () => state.waitUntil(wakeOutboxReaders(env)),
    onIdle,
    log: consoleLog,
    metrics: openMetrics(env),
  });
  const loop = new AlarmLoop({
    storage: state.storage,
    now: Date.now,
    watchdogMs: WATCHDOG_MS,
    turn: async () => {
      await runner.turn();
      await onTurn?.(runner);
      return runner.nextDueAt;
    },
    retryMs: (error) => {
      consoleLog.error("lane.turn_failed", { lane, error: describeError(error) });
      return RETRY_MS;
    },
  });
  const scheduleWithin = async (jobs: readonly string[], withinMs: number) => {
    runner.scheduleWithin(jobs, withinMs);
    if (runner.nextDueAt !== null) await loop.wakeBy(runner.nextDueAt);
    else await loop.keepAlive();
  };
  return { runner, loop, scoreFrames: context.scoreFrames, scheduleWithin };
}
