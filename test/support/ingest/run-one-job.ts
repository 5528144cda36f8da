import type { Pool } from "@neondatabase/serverless";
import type { JobName } from "../../../src/domain/jobs.ts";
import { handleMessage } from "../../../src/ingest/handle-message.ts";
import { KnownIds } from "../../../src/ingest/known-ids.ts";
import { PagesAhead } from "../../../src/ingest/pages-ahead.ts";
import { runJob, type JobSettings } from "../../../src/ingest/run-job.ts";
import type { IngestMessage } from "../../../src/messages/ingest.ts";
import { LARGE_TRADE_MIN_USD } from "./ingest-under-test.ts";
import { Killed, MortalProcess } from "./mortal-process.ts";
import type { Provider } from "../../../src/ports/provider.ts";

export interface JobRun {
  readonly pool: Pool;
  readonly provider: Provider;
  /** It outlives the processes that read it. */
  readonly queue: IngestMessage[];
  readonly now: number;
}

/** Turns a job may want at once; one that wants more never comes to rest. */
const MOST_TURNS = 200;
/** Its next turn may find something in what its own messages have made. */
const RESTS = 2;

/**
 * Runs one job until it rests, the messages it sends until there are none, and all that once more, in a process that dies after so many steps.
 *
 * @returns how many steps it lived, and whether it died
 */
export async function runOneJob(
  job: JobName,
  { pool, provider, queue, now }: JobRun,
  dieAfter = Infinity,
): Promise<{ steps: number; died: boolean }> {
  const life = new MortalProcess(dieAfter);
  const known = new KnownIds();
  const work = { pool: life.pool(pool), provider: life.provider(provider), known };
  const enqueue = (messages: readonly IngestMessage[]) => life.live(async () => void queue.push(...messages));
  const settings: JobSettings = {
    ...work,
    ahead: new PagesAhead(),
    largeTradeMinUsd: LARGE_TRADE_MIN_USD,
    backfillDays: 0,
    now: () => now,
    enqueue,
    hasten: () => undefined,
  };
  try {
    let turns = 0;
    for (let rests = 0; rests < RESTS;) {
      if (!(await runJob(job, settings))) rests += 1;
      for (let message = queue[0]; message !== undefined; message = queue[0]) {
        await handleMessage(message, { ...work, now: () => new Date(now) });
        await life.live(async () => void queue.shift());
      }
      if (++turns > MOST_TURNS) throw new Error(`${job} does not come to rest`);
    }
    return { steps: life.steps, died: false };
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return { steps: life.steps, died: true };
  }
}

/** What was handed out and not done is handed out again after a while: every such mark is an hour old now. */
export async function letAnHourPass(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns where table_schema = 'public' and column_name like '%enqueued_at'`,
  );
  for (const { table_name: table, column_name: column } of rows) {
    await pool.query(`update ${table} set ${column} = ${column} - interval '1 hour' where ${column} is not null`);
  }
}
