import { openDatabase, openPool } from "../../../src/db/client.ts";
import { runExportJob } from "../../../src/exports/run-export-job.ts";
import { DirectoryStore } from "./directory-store.ts";

export interface ExtractRequest {
  readonly databaseUrl: string;
  readonly neonHttpEndpoint: string;
  readonly neonSocketProxy: string;
  readonly dir: string;
  readonly jobIds: readonly number[];
}

export interface ExtractResult {
  readonly seconds: number;
  /** Of all threads of the process. */
  readonly cpuSeconds: number;
  /** The most memory that the process had beyond that of its start, MiB. */
  readonly peakMib: number;
}

/** What a consumer sends: first that it has loaded its modules, last what its jobs took. */
export type ConsumerMessage = "loaded" | ExtractResult;

const SAMPLE_MS = 10;
const MIB = 1024 * 1024;

// Runs jobs to their ends in their own process, so that its memory is theirs.
process.once("message", async ({ dir, jobIds, ...connection }: ExtractRequest) => {
  const db = openDatabase(connection);
  const store = new DirectoryStore(dir);
  const memory = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = memory();
  let peak = before;
  const sampler = setInterval(() => (peak = Math.max(peak, memory())), SAMPLE_MS);
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  for (const jobId of jobIds) {
    // A consumer has a session of its own in each run.
    for (let isDone = false; !isDone;) {
      const pool = openPool(connection);
      const outcome = await runExportJob(jobId, {
        ...{ db, pool, store, now: () => new Date(), newId: () => crypto.randomUUID(), signingKey: null },
        log: { info: () => undefined, warn: (name, fields) => console.error(name, fields), error: console.error },
      });
      await pool.end();
      isDone = outcome.kind === "done";
    }
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  clearInterval(sampler);
  const cpuSeconds = (cpu.user + cpu.system) / 1e6;
  const result: ExtractResult = { seconds, cpuSeconds, peakMib: (peak - before) / MIB };
  process.send?.(result, () => process.exit(0));
});
process.send?.("loaded" satisfies ConsumerMessage);
