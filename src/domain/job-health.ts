/** A heartbeat that health expects. */
export interface ExpectedHeartbeat {
  readonly name: string;
  /** How often it succeeds when all is well; health calls it stale after three of these. */
  readonly intervalSeconds: number;
}

/** A job's stored heartbeat; `succeededAtMs` is null for a job that has never succeeded. */
export interface Heartbeat {
  readonly job: string;
  readonly succeededAtMs: number | null;
}

export interface JobHealth {
  readonly status: "ok" | "degraded" | "down" | "not_checked";
  readonly checked: boolean;
  readonly total: number;
  readonly healthy: number;
  readonly stale: number;
  readonly missing: number;
  readonly invalid: number;
  readonly unconfigured: number;
  readonly paused: number;
}

/** A job that has missed this many of its intervals is stale. */
export const MISSED_INTERVALS = 3;
/** Tolerated clock difference between two machines; a heartbeat further in the future is invalid. */
const CLOCK_SKEW_MS = 60_000;

/**
 * Judges the health of the background jobs: `down` when none of the jobs that should run is healthy,
 * `degraded` when some are not healthy or are paused.
 *
 * @param heartbeats null when they were not read
 * @param paused names of the jobs that do not run, whatever their heartbeats are
 */
export function judgeJobHealth(
  jobs: readonly ExpectedHeartbeat[],
  heartbeats: readonly Heartbeat[] | null,
  now: number,
  paused: readonly string[],
): JobHealth {
  const counts = { healthy: 0, stale: 0, missing: 0, invalid: 0, unconfigured: 0, paused: 0 };
  if (heartbeats === null) return { status: "not_checked", checked: false, total: jobs.length, ...counts };
  const known = new Set<string>(jobs.map((job) => job.name));
  counts.unconfigured = heartbeats.filter((heartbeat) => !known.has(heartbeat.job)).length;
  for (const job of jobs) counts[paused.includes(job.name) ? "paused" : judgeJob(job, heartbeats, now)]++;
  const running = jobs.length - counts.paused;
  const status = counts.healthy === jobs.length ? "ok" : counts.healthy === 0 && running > 0 ? "down" : "degraded";
  return { status, checked: true, total: jobs.length, ...counts };
}

function judgeJob(
  job: ExpectedHeartbeat,
  heartbeats: readonly Heartbeat[],
  now: number,
): "healthy" | "stale" | "missing" | "invalid" {
  const succeededAtMs = heartbeats.find((heartbeat) => heartbeat.job === job.name)?.succeededAtMs ?? null;
  if (succeededAtMs === null) return "missing";
  if (!Number.isFinite(succeededAtMs) || succeededAtMs > now + CLOCK_SKEW_MS) return "invalid";
  return now - succeededAtMs > job.intervalSeconds * 1000 * MISSED_INTERVALS ? "stale" : "healthy";
}
