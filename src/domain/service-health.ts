import { judgeJobHealth, type ExpectedHeartbeat, type Heartbeat, type JobHealth } from "./job-health.ts";

/** What the database says about the health of the service. */
export interface StoredHealth {
  /** The current outbox epoch; null when the outbox has none, and nothing can be delivered from it. */
  readonly epoch: number | null;
  /**
   * Recording time of the first event not yet enqueued for webhooks, Unix milliseconds; null when all are
   * enqueued.
   */
  readonly pendingSinceMs: number | null;
  /** Whether the database has every migration that this build needs. */
  readonly isSchemaCurrent: boolean;
  readonly heartbeats: readonly Heartbeat[];
}

export interface ServiceHealth {
  readonly status: "ok" | "degraded" | "down";
  readonly isWebhookCompatible: boolean;
  readonly isSchemaCurrent: boolean;
  readonly jobs: JobHealth;
}

/** Events are normally enqueued for webhooks within seconds. A longer wait means that the fan-out is stuck. */
export const MAX_OUTBOX_DELAY_MS = 60_000;

export interface HealthExpectation {
  readonly heartbeats: readonly ExpectedHeartbeat[];
  /** Names of the jobs that do not run. */
  readonly paused: readonly string[];
}

/**
 * Judges the service: `down` without the database or a healthy job, `degraded` when the cache, webhooks, a job or a
 * migration is missing.
 *
 * @param stored null when the database did not answer in time
 */
export function judgeServiceHealth(
  stored: StoredHealth | null,
  isCacheUp: boolean,
  expected: HealthExpectation,
  nowMs: number,
): ServiceHealth {
  const jobs = judgeJobHealth(expected.heartbeats, stored?.heartbeats ?? null, nowMs, expected.paused);
  // Webhook deliveries are created from the outbox. Without a current outbox epoch none can be created.
  const isWebhookCompatible =
    stored !== null &&
    stored.epoch !== null &&
    (stored.pendingSinceMs === null || nowMs - stored.pendingSinceMs <= MAX_OUTBOX_DELAY_MS);
  const isSchemaCurrent = stored?.isSchemaCurrent ?? false;
  const isOk = isCacheUp && isWebhookCompatible && isSchemaCurrent && jobs.status === "ok";
  const status = stored === null || jobs.status === "down" ? "down" : isOk ? "ok" : "degraded";
  return { status, isWebhookCompatible, isSchemaCurrent, jobs };
}
