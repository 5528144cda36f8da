import { MAX_RETRY_AFTER_MS } from "../platform/provider.ts";
import type { Job } from "./registry.ts";
import { backoff } from "../lib/timing/backoff.ts";

/** When each job of a lane is due next, and how often in a row it has failed, by name. */
export type Schedule = Readonly<Record<string, Slot>>;

interface Slot {
  readonly dueAtMs: number;
  readonly failures: number;
}

/**
 * What a run says about the next: more is left, nothing is left, or it failed (and when the provider accepts
 * the next request).
 */
export type Outcome =
  | { readonly kind: "more" }
  | { readonly kind: "idle" }
  | { readonly kind: "failed"; readonly retryAfterMs: number | null };

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

const pauseOf = ({ every }: Job, feedPollMs: number): number => (every === "feed_poll" ? feedPollMs : every);

export function newSchedule(jobs: readonly Job[], now: number, feedPollMs: number): Schedule {
  return Object.fromEntries(
    jobs.map((job) => [
      job.name,
      { dueAtMs: job.startsAfterPause === true ? now + pauseOf(job, feedPollMs) : now, failures: 0 },
    ]),
  );
}

/**
 * A stored schedule, perhaps of an earlier release: jobs that it does not name are new, and jobs that no
 * longer exist are dropped.
 */
export function resumeSchedule(jobs: readonly Job[], stored: Schedule, now: number, feedPollMs: number): Schedule {
  const fresh = newSchedule(jobs, now, feedPollMs);
  return Object.fromEntries(Object.entries(fresh).map(([name, slot]) => [name, stored[name] ?? slot]));
}

/** The due job that has waited longest, so that a long backfill starves no other; null when none is due. */
export function decideNextJob(jobs: readonly Job[], schedule: Schedule, now: number): Job | null {
  let next: Job | null = null;
  for (const job of jobs) {
    const dueAtMs = dueAt(schedule, job);
    if (dueAtMs <= now && (next === null || dueAtMs < dueAt(schedule, next))) next = job;
  }
  return next;
}

/** A running job has no due time, so that a call of `scheduleBy` during the run is a time of the next run. */
export function startJob(schedule: Schedule, { name }: Job): Schedule {
  return { ...schedule, [name]: { dueAtMs: Infinity, failures: schedule[name]?.failures ?? 0 } };
}

/**
 * The next run of a job that has run. After a failure the back-off decides; otherwise a time that was set
 * during the run counts.
 */
export function afterJob(schedule: Schedule, job: Job, outcome: Outcome, now: number, feedPollMs: number): Schedule {
  const slot = schedule[job.name] ?? { dueAtMs: Infinity, failures: 0 };
  const failures = outcome.kind === "failed" ? slot.failures + 1 : 0;
  const nextAtMs = now + waitMs(job, outcome, failures, feedPollMs);
  return {
    ...schedule,
    [job.name]: { dueAtMs: outcome.kind === "failed" ? nextAtMs : Math.min(slot.dueAtMs, nextAtMs), failures },
  };
}

function waitMs(job: Job, outcome: Outcome, failures: number, feedPollMs: number): number {
  if (outcome.kind === "more") return -(job.headStartMs ?? 0);
  return outcome.kind === "idle" ? pauseOf(job, feedPollMs) : retryWaitMs(outcome.retryAfterMs, failures);
}

/** Makes jobs due at a time, where they are due later. Names of other lanes are ignored. */
export function scheduleBy(schedule: Schedule, names: readonly string[], dueAtMs: number): Schedule {
  const moved = names.flatMap((name) => {
    const slot = schedule[name];
    return slot === undefined ? [] : [[name, { ...slot, dueAtMs: Math.min(slot.dueAtMs, dueAtMs) }] as const];
  });
  return { ...schedule, ...Object.fromEntries(moved) };
}

/** When the next of these jobs is due. */
export const nextDueAt = (jobs: readonly Job[], schedule: Schedule): number =>
  Math.min(...jobs.map((job) => dueAt(schedule, job)));

const dueAt = (schedule: Schedule, { name }: Job): number => schedule[name]?.dueAtMs ?? Infinity;

/** A provider that names no time, or `Retry-After: 0`, gets exponential back-off. */
const retryWaitMs = (namedMs: number | null, failures: number): number =>
  namedMs === null || namedMs <= 0
    ? backoff(failures, FIRST_RETRY_MS, LONGEST_RETRY_MS)
    : Math.min(MAX_RETRY_AFTER_MS, namedMs);
