import type { Job } from "./jobs.ts";

/** A job's stored heartbeat; `succeededAtMs` is null for a job that has only failed so far. */
export interface Heartbeat {
  readonly job: string;
  readonly succeededAtMs: number | null;
}

export interface BackgroundJobs {
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
const MISSED_INTERVALS = 3;
/** Clocks of two machines differ; a heartbeat further ahead than this is no time at all. */
const CLOCK_SKEW_MS = 60_000;

/**
 * How the background jobs stand. Down when none of those that should run is healthy, degraded when some are not healthy or are paused.
 *
 * @param heartbeats null when they were not read
 * @param paused names of the jobs that do not run, whatever their heartbeats say
 */
export function judgeJobs(
  jobs: readonly Job[],
  heartbeats: readonly Heartbeat[] | null,
  now: number,
  paused: readonly string[],
): BackgroundJobs {
  const counts = { healthy: 0, stale: 0, missing: 0, invalid: 0, unconfigured: 0, paused: 0 };
  if (heartbeats === null) return { status: "not_checked", checked: false, total: jobs.length, ...counts };
  const known = new Set<string>(jobs.map((job) => job.name));
  counts.unconfigured = heartbeats.filter((beat) => !known.has(beat.job)).length;
  for (const job of jobs) counts[paused.includes(job.name) ? "paused" : judgeJob(job, heartbeats, now)]++;
  const running = jobs.length - counts.paused;
  const status = counts.healthy === jobs.length ? "ok" : counts.healthy === 0 && running > 0 ? "down" : "degraded";
  return { status, checked: true, total: jobs.length, ...counts };
}

function judgeJob(job: Job, heartbeats: readonly Heartbeat[], now: number): "healthy" | "stale" | "missing" | "invalid" {
  const at = heartbeats.find((beat) => beat.job === job.name)?.succeededAtMs ?? null;
  if (at === null) return "missing";
  if (!Number.isFinite(at) || at > now + CLOCK_SKEW_MS) return "invalid";
  return now - at > job.intervalSeconds * 1000 * MISSED_INTERVALS ? "stale" : "healthy";
}
