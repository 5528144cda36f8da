import type { Pool } from "@neondatabase/serverless";
import { handleMessage } from "../../../src/ingest/queue/handle-message.ts";
import { RowIdCache } from "../../../src/ingest/feeds/row-id-cache.ts";
import { runJob, type JobName } from "../../../src/jobs/registry.ts";
import type { IngestMessage } from "../../../src/messages/ingest-message.ts";
import { ProcessKilled, KillableProcess } from "./killable-process.ts";
import type { Provider } from "../../../src/platform/provider.ts";
import { CATALOG, MemoryCatalog } from "../archive/iceberg-catalog.ts";
import { MemoryStore } from "../archive/memory-store.ts";
import { TEST_SIGNING_KEY } from "../archive/signing-key.ts";
import { openJobContext } from "../../../scripts/bench/job-context.ts";
import { aJobChain } from "./worlds/job-chain.ts";
import { TEST_SEALING } from "./test-sealing.ts";

export interface JobRun {
  readonly pool: Pool;
  readonly provider: Provider;
  /** It outlives the processes that read it. */
  readonly queue: IngestMessage[];
  readonly now: number;
  /** The files of the archive, which also outlive the processes. */
  readonly files?: Map<string, Uint8Array>;
  /** The Iceberg catalog, which outlives them too. */
  readonly catalog?: MemoryCatalog;
}

/** Runs that a job may need at once; a job that needs more never becomes idle. */
const MAX_RUNS = 200;
/** Idle runs before the job is done: the first run after one may find work that its own messages created. */
const IDLE_RUNS = 2;

/**
 * Runs one job until it is idle, then the messages it sends, and then both again, in a process that dies
 * after a given number of steps.
 *
 * @returns how many steps it lived, and whether it died
 */
export async function runOneJob(
  job: JobName,
  { pool, provider, queue, now, files = new Map(), catalog = new MemoryCatalog() }: JobRun,
  dieAfter = Infinity,
): Promise<{ steps: number; died: boolean }> {
  const life = new KillableProcess(dieAfter);
  const rowIds = new RowIdCache();
  const work = { pool: life.pool(pool), provider: life.provider(provider), rowIds };
  const enqueue = (messages: readonly IngestMessage[]) => life.perform(async () => void queue.push(...messages));
  const store = new MemoryStore(files, (step) => life.perform(step));
  const settings = openJobContext({
    ...work,
    enqueue,
    sealing: TEST_SEALING,
    archive: { store, signingKey: TEST_SIGNING_KEY },
    iceberg: { settings: CATALOG, fetch: (...request) => life.perform(() => catalog.fetch(...request)), store },
    archiveRetentionDays: 1,
    chain: { chain: life.provider(aJobChain(now)), confirmations: 64 },
    now: () => now,
  });
  try {
    let runs = 0;
    for (let idleRuns = 0; idleRuns < IDLE_RUNS;) {
      if (!(await runJob(job, settings))) idleRuns += 1;
      for (let message = queue[0]; message !== undefined; message = queue[0]) {
        await handleMessage(message, { ...work, now: () => new Date(now) });
        await life.perform(async () => void queue.shift());
      }
      if (++runs > MAX_RUNS) throw new Error(`${job} does not become idle`);
    }
    return { steps: life.steps, died: false };
  } catch (error) {
    if (!(error instanceof ProcessKilled)) throw error;
    return { steps: life.steps, died: true };
  }
}

/**
 * Work that was enqueued but not done is enqueued again after a while: this makes every such mark an hour
 * older.
 */
export async function letAnHourPass(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns where table_schema = 'public' and column_name like '%enqueued_at'`,
  );
  for (const { table_name: table, column_name: column } of rows) {
    await pool.query(`update ${table} set ${column} = ${column} - interval '1 hour' where ${column} is not null`);
  }
}
