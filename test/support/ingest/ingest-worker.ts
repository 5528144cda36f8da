import type { Pool } from "@neondatabase/serverless";
import { openJobContext } from "../../../scripts/bench/job-context.ts";
import { handleMessage } from "../../../src/ingest/queue/handle-message.ts";
import { RowIdCache } from "../../../src/ingest/feeds/row-id-cache.ts";
import { runJob } from "../../../src/jobs/registry.ts";
import type { IngestMessage } from "../../../src/messages/ingest-message.ts";
import { ProviderRefused, ProviderUnavailable, type Provider } from "../../../src/platform/provider.ts";
import { TEST_SEALING } from "./test-sealing.ts";

const WALKS = ["walk_markets", "read_taker_trades", "read_all_trades"] as const;
const ENQUEUING = ["hydrate_markets", "sync_traders", "check_results"] as const;
/** A test must not retry forever: the provider may fail at most this often in a row. */
const MAX_RETRIES = 50;

export interface IngestWorker {
  readonly pool: Pool;
  readonly provider: Provider;
  /** It outlives the processes that read it: a message leaves the queue once it is acknowledged. */
  readonly queue: IngestMessage[];
  readonly now: () => number;
  /**
   * Runs one operation on the queue (a send or an acknowledgement); for tests in which the process dies
   * there.
   */
  readonly atQueue?: (operation: () => Promise<void>) => Promise<void>;
}

/**
 * Walks every feed once and then does all due work, as the feed object and the queue's consumer do. A call
 * that fails because the provider is unavailable or has forgotten a cursor is retried at once.
 */
export async function runUntilIdle({
  pool,
  provider,
  queue,
  now,
  atQueue = (operation) => operation(),
}: IngestWorker): Promise<void> {
  const rowIds = new RowIdCache();
  const enqueue = (messages: readonly IngestMessage[]) => atQueue(async () => void queue.push(...messages));
  const settings = openJobContext({ pool, provider, enqueue, rowIds, now, sealing: TEST_SEALING });
  const run = (job: (typeof WALKS | typeof ENQUEUING)[number]) => withRetries(() => runJob(job, settings));
  for (const job of WALKS) while (await run(job));
  for (let due = true; due;) {
    due = false;
    for (const job of ENQUEUING) while (await run(job)) due = true;
    due ||= queue.length > 0;
    for (let message = queue[0]; message !== undefined; message = queue[0]) {
      const work = message;
      await withRetries(() => handleMessage(work, { pool, provider, rowIds: rowIds, now: () => new Date(now()) }));
      await atQueue(async () => void queue.shift());
    }
  }
}

async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let left = MAX_RETRIES; ; left--) {
    try {
      return await work();
    } catch (error) {
      const isTransient = error instanceof ProviderUnavailable || error instanceof ProviderRefused;
      if (!isTransient || left === 0) throw error;
    }
  }
}
