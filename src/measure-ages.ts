import { parseConfig } from "./config.ts";
import { openDatabase } from "./db/client.ts";
import { MISSED_INTERVALS, type ExpectedHeartbeat } from "./domain/job-health.ts";
import type { Env } from "./env.ts";
import { listHeartbeats } from "./jobs/heartbeats.ts";
import { listPausedJobs } from "./jobs/registry.ts";
import { consoleLog, describeError } from "./platform/log/console-log.ts";
import { openMetrics } from "./platform/metrics/open-metrics.ts";
import { readHealth, type HealthRows } from "./queries/health.ts";

/** An age, and how great it may be. */
export interface Age {
  readonly of: string;
  readonly age_ms: number;
  readonly allowed_ms: number;
}

/** Events are normally enqueued for webhooks within seconds. */
const ALLOWED_OUTBOX_MS = 60_000;

/**
 * The ages that cron measures: of the last success of each job, and of the oldest event that is not enqueued for
 * webhooks (0 when there is none). What never happened has no age.
 */
export function listAges(
  expected: readonly ExpectedHeartbeat[],
  { epoch, pendingSinceMs, heartbeats }: Pick<HealthRows, "epoch" | "pendingSinceMs" | "heartbeats">,
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
  return [...jobs, { of: "webhook_outbox", age_ms, allowed_ms: ALLOWED_OUTBOX_MS }];
}

/** Writes these ages. Never throws: without Postgres there is no point, which is an alert of its own. */
export async function measureAges(env: Env): Promise<void> {
  try {
    const config = parseConfig(env);
    const paused = new Set<string>(listPausedJobs(config));
    const expected = listHeartbeats(config).filter(({ name }) => !paused.has(name));
    const metrics = openMetrics(env);
    for (const age of listAges(expected, await readHealth(openDatabase(config)), Date.now()))
      metrics.write("age", { ...age });
  } catch (error) {
    consoleLog.warn("metrics.ages_unknown", { error: describeError(error) });
  }
}
