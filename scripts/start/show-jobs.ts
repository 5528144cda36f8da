import { setTimeout as sleep } from "node:timers/promises";
import { decideJobLines, type JobHeartbeat, type ReportedJobs } from "./job-lines.ts";
import { openPolledDatabase } from "./polled-database.ts";

const POLL_MS = 400;

/**
 * Prints a line for each background job when it first runs after the start, when it fails, and when it runs
 * again.
 */
export async function showJobs(databaseUrl: string, startedAt: Date, stopped: () => boolean): Promise<void> {
  const database = openPolledDatabase(databaseUrl);
  let said: ReportedJobs = new Map();
  try {
    while (!stopped()) {
      const beats = await database.findRows<JobHeartbeat>(
        `select job, succeeded_at as "succeededAt", failed_at as "failedAt", last_error as error from job_heartbeats
         order by greatest(succeeded_at, failed_at), job`,
      );
      const next = decideJobLines(said, beats ?? [], startedAt);
      for (const line of next.lines) printAboveBar(line);
      said = next.said;
      await sleep(POLL_MS);
    }
  } finally {
    await database.end();
  }
}

/** Clears the progress bar, which is drawn again below the line. */
function printAboveBar(line: string): void {
  console.log(process.stdout.isTTY ? `\r\x1b[2K${line}` : line);
}
