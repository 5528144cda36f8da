import { setTimeout as sleep } from "node:timers/promises";
import { decideJobLines, type JobBeat, type Said } from "./job-lines.ts";
import { openPolledDatabase } from "./polled-database.ts";

const POLL_MS = 400;

/** Says of each background job when it has run for the first time since the start began, when it fails, and when it runs again. */
export async function showJobs(databaseUrl: string, startedAt: Date, stopped: () => boolean): Promise<void> {
  const database = openPolledDatabase(databaseUrl);
  let said: Said = new Map();
  try {
    while (!stopped()) {
      const beats = await database.findRows<JobBeat>(
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

/** The bar of the first fill is drawn again below. */
function printAboveBar(line: string): void {
  console.log(process.stdout.isTTY ? `\r\x1b[2K${line}` : line);
}
