import { parseConfig } from "./config.ts";
import { openDatabase } from "./db/client.ts";
import { MISSED_INTERVALS, type ExpectedHeartbeat } from "./domain/job-health.ts";
import { judgeServiceHealth, MAX_OUTBOX_DELAY_MS, type StoredHealth } from "./domain/service-health.ts";
import type { Env } from "./env.ts";
import { listHeartbeats } from "./jobs/heartbeats.ts";
import { listPausedJobs } from "./jobs/registry.ts";
import { consoleLog, describeError } from "./platform/log/console-log.ts";
import { openMetrics } from "./platform/metrics/open-metrics.ts";
import { withTimeout } from "./lib/timing/with-timeout.ts";
import { isAnswered, PROBE_TIMEOUT_MS } from "./platform/probe.ts";
import { RedisCache } from "./platform/redis/redis-cache.ts";
import { openRedis } from "./platform/redis/redis-client.ts";
import { readHealth } from "./queries/health.ts";
import { storeHealthMinute } from "./queries/health-history.ts";
import { readLockWaits } from "./queries/lock-waits.ts";

/** An age, and how great it may be. */
export interface Age {
  readonly of: string;
  readonly age_ms: number;
  readonly allowed_ms: number;
}

/**
 * The ages that cron measures: of the last success of each job, and of the oldest event that is not enqueued for
 * webhooks (0 when there is none). What never happened has no age.
 */
export function listAges(
  expected: readonly ExpectedHeartbeat[],
  { epoch, pendingSinceMs, heartbeats }: Pick<StoredHealth, "epoch" | "pendingSinceMs" | "heartbeats">,
  now: number,
): Age[] {
  const jobs = expected.flatMap(({ name, intervalSeconds }) => {
    const succeededAtMs = heartbeats.find(({ job }) => job === name)?.succeededAtMs ?? null;
    if (succeededAtMs === null) return [];
    const allowed_ms = MISSED_INTERVALS * intervalSeconds * 1_000;
    return [{ of: name, age_ms: Math.max(0, now - succeededAtMs), allowed_ms }];
  });
  if (epoch === null) return jobs;
  const age_ms = pendingSinceMs === null ? 0 : Math.max(0, now - pendingSinceMs);
  return [...jobs, { of: "webhook_outbox", age_ms, allowed_ms: MAX_OUTBOX_DELAY_MS }];
}

/**
 * Measures the service, once a minute: ages and lock waits for the metrics, and health for its history. Never throws:
 * without Postgres there is no point, which is an alert of its own, and no minute in the history.
 */
export const measureMinute = (env: Env, clock: () => number): Promise<void> =>
  attempt("metrics.not_measured", () => measure(env, clock));

async function measure(env: Env, clock: () => number): Promise<void> {
  const config = parseConfig(env);
  const now = new Date(clock());
  const db = openDatabase(config);
  const metrics = openMetrics(env);
  await Promise.all([
    attempt("metrics.ages_unknown", async () => {
      const paused = listPausedJobs(config);
      const heartbeats = listHeartbeats(config);
      const reading = readHealth(db);
      // Judged as health judges it, to which a slow database is down; the ages are read however long it takes.
      const [inTime, isCacheUp] = await Promise.all([
        withTimeout(reading, PROBE_TIMEOUT_MS).catch(() => null),
        isAnswered(new RedisCache(openRedis(config.redisUrl, config.redisToken), clock).ping()),
      ]);
      const health = judgeServiceHealth(inTime, isCacheUp, { heartbeats, paused }, now.getTime());
      const stored = await reading;
      const running = heartbeats.filter(({ name }) => !paused.some((job) => job === name));
      for (const age of listAges(running, stored, now.getTime())) metrics.write("age", { ...age });
      await storeHealthMinute(db, config.maintenance ? null : { ...health, isCacheUp }, now);
    }),
    attempt("metrics.lock_waits_unknown", async () => metrics.write("lock_wait", await readLockWaits(db))),
  ]);
}

async function attempt(failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    consoleLog.warn(failure, { error: describeError(error) });
  }
}
