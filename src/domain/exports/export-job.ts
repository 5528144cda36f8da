import { DAY_MS } from "../../scoring/utc-calendar.ts";

/** The rules of export jobs: what a state means for its owner, and which changes it allows. */

export const JOB_STATES = [
  "queued",
  "running",
  "cancel_requested",
  "reconcile_required",
  "ready",
  "failed",
  "expired",
  "cancelled",
] as const;

export type JobState = (typeof JOB_STATES)[number];

export const JOB_KINDS = ["whale_dataset", "trader_export"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** The formats of the contract, which are text. */
export const TEXT_FORMATS = ["json", "ndjson", "csv"] as const;
export type TextExportFormat = (typeof TEXT_FORMATS)[number];

/** Parquet is an addition to the contract. */
export const EXPORT_FORMATS = [...TEXT_FORMATS, "parquet"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const DATASET_FORMATS = ["ndjson", "parquet"] as const;

export const TERMINAL_STATES = ["ready", "failed", "expired", "cancelled"] as const satisfies readonly JobState[];
export type TerminalState = (typeof TERMINAL_STATES)[number];

/** The states in which a consumer may work on a job. */
export const ACTIVE_STATES = ["queued", "running", "cancel_requested", "reconcile_required"] as const;

export const MAX_ATTEMPTS = 3;
/** A job and its file end this long after the submit. */
export const RETENTION_MS = DAY_MS;
/** An ended job can be read this long. */
export const READABLE_MS = 2 * DAY_MS;
/** A consumer that has not renewed its lease for this long is dead, and another one takes its job over. */
export const LEASE_MS = 120_000;
/** How often a consumer renews its lease, and with that reads whether the job is cancelled. */
export const RENEW_MS = 5_000;

/** A larger content is refused. */
export const MAX_CONTENT_BYTES = 2 * 1024 ** 3;
/** A snapshot that is a transaction is read at most this long. */
export const MAX_SNAPSHOT_MS = 600_000;

export const SUBMITS_PER_DAY = 20;
export const DATASETS_PER_HOUR = 5;
/** Submits of one account for one trader. */
export const TRADER_SUBMITS_PER_HOUR = 5;

/** What each state may follow. From a state that no row names as its predecessor, nothing follows. */
const PREVIOUS = {
  running: ["queued", "running", "reconcile_required"],
  cancel_requested: ["running", "reconcile_required"],
  reconcile_required: ["running"],
  ready: ["running"],
  failed: ["queued", "running", "reconcile_required"],
  cancelled: ["queued", "cancel_requested"],
  expired: ["ready"],
} as const satisfies Partial<Record<JobState, readonly JobState[]>>;

/** The states from which a job may reach this one. A statement that changes a state names them. */
export const statesBefore = (state: keyof typeof PREVIOUS): readonly JobState[] => PREVIOUS[state];

export const isTerminal = (state: JobState): state is TerminalState => TERMINAL_STATES.some((end) => end === state);

/** Times of a job, as far as its owner's view depends on them. */
export interface JobTimes {
  readonly state: JobState;
  readonly expiresAt: Date;
}

/**
 * The state that the owner sees. The clock decides, not the sweep that records it: a file past its expiry is
 * expired, and a job that has not finished by then has failed.
 */
export function visibleState({ state, expiresAt }: JobTimes, now: Date): JobState {
  if (now.getTime() < expiresAt.getTime()) return state;
  if (state === "ready") return "expired";
  if (state === "cancel_requested") return "cancelled";
  return isTerminal(state) ? state : "failed";
}

export type NextAction = "poll" | "download" | "resubmit";

export function nextAction(state: JobState): NextAction {
  if (state === "ready") return "download";
  return isTerminal(state) ? "resubmit" : "poll";
}

/** Seconds until the next poll; null in a terminal state. */
export function pollAfterSeconds(state: JobState): number | null {
  if (isTerminal(state)) return null;
  return state === "reconcile_required" ? 300 : 5;
}

/** What a consumer does with a job that it has claimed. */
export type ClaimedWork = "cancel" | "fail_late" | "fail_attempts" | "extract";

export function decideWork(
  job: JobTimes & { readonly attempt: number; readonly maxAttempts: number },
  now: Date,
): ClaimedWork {
  if (job.state === "cancel_requested") return "cancel";
  if (now.getTime() >= job.expiresAt.getTime()) return "fail_late";
  return job.attempt > job.maxAttempts ? "fail_attempts" : "extract";
}
