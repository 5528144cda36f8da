import type { JobName } from "../../src/domain/jobs.ts";
import { LONGEST_ASKED_MS } from "../../src/ports/provider.ts";

/** When each job is due next, and how often in a row it has failed. */
export type Schedule = Readonly<Record<JobName, { readonly dueAtMs: number; readonly failures: number }>>;

/** What a run of a job says about the next: more waits, nothing waits, or it failed (and when the provider wants to be asked again). */
export type Outcome =
  | { readonly kind: "more" }
  | { readonly kind: "idle" }
  | { readonly kind: "failed"; readonly retryAfterMs: number | null };

type TradeFeedJob = "taker_feed" | "fill_feed";

/** How long an idle job rests. The trade feeds' rest is configured. */
export const REST_MS: Readonly<Record<Exclude<JobName, TradeFeedJob>, number>> = {
  market_hydration: 2_000,
  wallet_sync: 2_000,
  resolutions: 2_000,
  books: 15_000,
  market_walk: 300_000,
  boards: 600_000,
  skill: 5_000,
  population: 60_000,
  grades: 5_000,
  profiles: 15_000,
  leaderboard: 60_000,
  explore: 60_000,
  suspicion: 5_000,
  candles: 30_000,
  flows: 60_000,
  values: 5_000,
  large_positions: 15_000,
  holders: 2_000,
  provider_figures: 15_000,
  reports: 60_000,
  outbox_pruning: 60_000,
};

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

export function newSchedule(now: number): Schedule {
  const due = { dueAtMs: now, failures: 0 };
  // The provider's boards come first: they name wallets to follow.
  return {
    boards: { dueAtMs: now - 2, failures: 0 },
    market_walk: { dueAtMs: now - 1, failures: 0 },
    taker_feed: due,
    fill_feed: due,
    market_hydration: due,
    wallet_sync: due,
    resolutions: due,
    books: due,
    skill: due,
    population: due,
    grades: due,
    profiles: { dueAtMs: now + REST_MS.profiles, failures: 0 },
    leaderboard: { dueAtMs: now + REST_MS.leaderboard, failures: 0 },
    explore: { dueAtMs: now + REST_MS.explore, failures: 0 },
    suspicion: { dueAtMs: now + REST_MS.suspicion, failures: 0 },
    candles: { dueAtMs: now + REST_MS.candles, failures: 0 },
    flows: { dueAtMs: now + REST_MS.flows, failures: 0 },
    values: { dueAtMs: now + REST_MS.values, failures: 0 },
    large_positions: { dueAtMs: now + REST_MS.large_positions, failures: 0 },
    holders: { dueAtMs: now + REST_MS.holders, failures: 0 },
    provider_figures: { dueAtMs: now + REST_MS.provider_figures, failures: 0 },
    reports: { dueAtMs: now + REST_MS.reports, failures: 0 },
    outbox_pruning: due,
  };
}

/** A schedule that was stored, perhaps by an earlier version: jobs it did not know are new, and those that are gone stay gone. */
export function resumeSchedule(stored: Partial<Schedule>, now: number): Schedule {
  const jobs = entriesOf(newSchedule(now)).map(([job, fresh]) => [job, stored[job] ?? fresh] as const);
  return { ...newSchedule(now), ...Object.fromEntries(jobs) };
}

/** The due job that has waited longest, so that a long backfill starves none; null when none is due. Paused ones wait until they are not. */
export function decideNextJob(schedule: Schedule, now: number, paused: readonly JobName[]): JobName | null {
  let next: JobName | null = null;
  for (const [job, { dueAtMs }] of entriesOf(schedule)) {
    if (!paused.includes(job) && dueAtMs <= now && (next === null || dueAtMs < schedule[next].dueAtMs)) next = job;
  }
  return next;
}

export function afterJob(schedule: Schedule, job: JobName, outcome: Outcome, now: number, feedPollMs: number): Schedule {
  const failures = outcome.kind === "failed" ? schedule[job].failures + 1 : 0;
  const rest = job === "taker_feed" || job === "fill_feed" ? feedPollMs : REST_MS[job];
  const waitMs = outcome.kind === "more" ? 0 : outcome.kind === "idle" ? rest : retryWait(outcome.retryAfterMs, failures);
  return { ...schedule, [job]: { dueAtMs: now + waitMs, failures } };
}

/** The jobs made due at a time, where they were due later. */
export function hasten(schedule: Schedule, jobs: readonly JobName[], dueAtMs: number): Schedule {
  const hastened = jobs.map((job) => [job, { ...schedule[job], dueAtMs: Math.min(schedule[job].dueAtMs, dueAtMs) }] as const);
  return { ...schedule, ...Object.fromEntries(hastened) };
}

/** When the next job is due that is not paused. */
export function nextDueAt(schedule: Schedule, paused: readonly JobName[]): number {
  const running = entriesOf(schedule).filter(([job]) => !paused.includes(job));
  return Math.min(...running.map(([, { dueAtMs }]) => dueAtMs));
}

/** Who asks for no time at all is not asked again at once. */
function retryWait(askedMs: number | null, failures: number): number {
  return askedMs === null || askedMs <= 0 ? backOff(failures) : Math.min(LONGEST_ASKED_MS, askedMs);
}

function backOff(failures: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
}

function entriesOf(schedule: Schedule): [JobName, Schedule[JobName]][] {
  // Object.entries widens the keys; a Schedule has exactly the job names.
  return Object.entries(schedule) as [JobName, Schedule[JobName]][];
}
