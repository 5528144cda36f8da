/** A job's stored heartbeat, as shown by a start. */
export interface JobHeartbeat {
  readonly job: string;
  /** Null for a job that has only failed so far. */
  readonly succeededAt: Date | null;
  readonly failedAt: Date | null;
  /** The last error; null after a later success. */
  readonly error: string | null;
}

/** The last reported state by job: null for a success, else the error without its durations. */
export type ReportedJobs = ReadonlyMap<string, string | null>;

/**
 * The lines to print: a job has run for the first time, fails, fails with another error, or runs again.
 *
 * @param since when this start began; heartbeats of earlier starts are ignored
 */
export function decideJobLines(
  said: ReportedJobs,
  beats: readonly JobHeartbeat[],
  since: Date,
): { readonly lines: readonly string[]; readonly said: ReportedJobs } {
  const lines: string[] = [];
  const now = new Map(said);
  for (const { job, succeededAt, failedAt, error } of beats) {
    const at = error === null ? succeededAt : failedAt;
    if (at === null || at < since) continue;
    const before = said.get(job);
    // The error without durations, which differ for each attempt.
    const state = error === null ? null : inOneLine(error).replace(/\d+ ms/g, "ms");
    if (state === before) continue;
    lines.push(
      `job ${job}: ${error !== null ? `failed: ${inOneLine(error)}` : before === undefined ? "ran" : "runs again"}`,
    );
    now.set(job, state);
  }
  return { lines, said: now };
}

/** Errors can contain whole statements and provider responses with line breaks. */
function inOneLine(error: string): string {
  return error.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
