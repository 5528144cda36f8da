import type { Pool } from "@neondatabase/serverless";
import { handleMessage } from "../../../src/ingest/handle-message.ts";
import { KnownIds } from "../../../src/ingest/known-ids.ts";
import { PagesAhead } from "../../../src/ingest/pages-ahead.ts";
import { runJob } from "../../../src/ingest/run-job.ts";
import type { IngestMessage } from "../../../src/messages/ingest.ts";
import { ProviderRefused, ProviderUnavailable, type Provider } from "../../../src/ports/provider.ts";
import { LARGE_TRADE_MIN_USD } from "./ingest-under-test.ts";

const WALKS = ["market_walk", "taker_feed", "fill_feed"] as const;
const HANDED_OUT = ["market_hydration", "wallet_sync", "resolutions"] as const;
/** A provider that is away more often than this is a test that would not end. */
const PATIENCE = 50;

export interface IngestWorker {
  readonly pool: Pool;
  readonly provider: Provider;
  /** It outlives its readers: a message leaves it once it is acknowledged. */
  readonly queue: IngestMessage[];
  readonly now: () => number;
  /** Does one turn of the queue (a sending, an acknowledgement); for tests in which the process dies there. */
  readonly atQueue?: (turn: () => Promise<void>) => Promise<void>;
}

/**
 * Walks every feed once and then does all work that is due, as the feed object and the queue's consumer do. What fails because the provider
 * is away or has forgotten a cursor is tried again at once.
 */
export async function runUntilIdle({ pool, provider, queue, now, atQueue = (turn) => turn() }: IngestWorker): Promise<void> {
  const known = new KnownIds();
  const ahead = new PagesAhead();
  const enqueue = (messages: readonly IngestMessage[]) => atQueue(async () => void queue.push(...messages));
  const settings = {
    pool,
    provider,
    known,
    ahead,
    largeTradeMinUsd: LARGE_TRADE_MIN_USD,
    backfillDays: 0,
    now,
    enqueue,
    hasten: () => undefined,
  };
  const run = (job: (typeof WALKS | typeof HANDED_OUT)[number]) => withPatience(() => runJob(job, settings));
  for (const job of WALKS) while (await run(job));
  for (let due = true; due;) {
    due = false;
    for (const job of HANDED_OUT) while (await run(job)) due = true;
    for (let message = queue[0]; message !== undefined; message = queue[0]) {
      const work = message;
      await withPatience(() => handleMessage(work, { pool, provider, known, now: () => new Date(now()) }));
      await atQueue(async () => void queue.shift());
    }
  }
}

async function withPatience<T>(work: () => Promise<T>): Promise<T> {
  for (let left = PATIENCE; ; left--) {
    try {
      return await work();
    } catch (error) {
      const passes = error instanceof ProviderUnavailable || error instanceof ProviderRefused;
      if (!passes || left === 0) throw error;
    }
  }
}
