/** A job's stored heartbeat, as far as a start shows it. */
export interface JobBeat {
  readonly job: string;
  /** Null for a job that has only failed so far. */
  readonly succeededAt: Date | null;
  readonly failedAt: Date | null;
  /** Why it failed last; null once it has succeeded since. */
  readonly error: string | null;
}

/** What was last said of each job: null that it runs, else the error it failed with, without its durations. */
export type Said = ReadonlyMap<string, string | null>;

/**
 * What there is to say of the jobs: that one has run for the first time, that it fails, with another error than was said, or that it runs again.
 *
 * @param since when the start began; what the database remembers of earlier starts is not said
 */
export function decideJobLines(
  said: Said,
  beats: readonly JobBeat[],
  since: Date,
): { readonly lines: readonly string[]; readonly said: Said } {
  const lines: string[] = [];
  const now = new Map(said);
  for (const { job, succeededAt, failedAt, error } of beats) {
    const at = error === null ? succeededAt : failedAt;
    if (at === null || at < since) continue;
    const before = said.get(job);
    // How long an attempt waited differs each time, and makes no other error of it.
    const saying = error === null ? null : inOneLine(error).replace(/\d+ ms/g, "ms");
    if (saying === before) continue;
    lines.push(`job ${job}: ${error !== null ? `failed: ${inOneLine(error)}` : before === undefined ? "ran" : "runs again"}`);
    now.set(job, saying);
  }
  return { lines, said: now };
}

/** Errors hold whole statements, and what a provider sent. */
function inOneLine(error: string): string {
  return error.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
