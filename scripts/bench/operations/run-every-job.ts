import type { Pool } from "@neondatabase/serverless";
import { beat } from "../../../src/db/heartbeats.ts";
import type { JobName } from "../../../src/domain/jobs.ts";
import { handleMessage } from "../../../src/ingest/handle-message.ts";
import { KnownIds } from "../../../src/ingest/known-ids.ts";
import { PagesAhead } from "../../../src/ingest/pages-ahead.ts";
import { runJob } from "../../../src/ingest/run-job.ts";
import type { IngestMessage } from "../../../src/messages/ingest.ts";
import type { Provider } from "../../../src/ports/provider.ts";

/** Every job, by what it rests on: whatever follows from the trades first, lists last. */
export const IN_ORDER: readonly JobName[] = [
  ...(["market_walk", "taker_feed", "fill_feed", "boards", "market_hydration", "wallet_sync", "resolutions"] as const),
  ...(["skill", "population", "grades", "candles", "values", "profiles", "books", "suspicion", "provider_figures"] as const),
  ...(["leaderboard", "explore", "flows", "large_positions", "holders", "reports", "outbox_pruning"] as const),
];

/** The lists that a database loaded before needs anew, because they say how things stand now. */
export const LISTS: readonly JobName[] = ["taker_feed", "fill_feed", "leaderboard", "explore", "flows", "large_positions", "reports"];

/** A wallet's figures are asked for so long after its first sync; the benchmark does not wait. */
const FIGURES_AFTER_MS = 900_000;

export interface JobRun {
  readonly pool: Pool;
  readonly provider: Provider;
  readonly print: (line: string) => void;
}

/** Runs jobs, and all the messages they queue, until none has more to do. */
export async function runEveryJob(run: JobRun, jobs: readonly JobName[] = IN_ORDER): Promise<void> {
  for (const job of jobs) {
    const startedAt = performance.now();
    const messages = await runToTheEnd(job, run);
    await beat(run.pool, job);
    run.print(`${job}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${messages} messages`);
  }
}

/** @returns how many messages it handed out */
async function runToTheEnd(job: JobName, { pool, provider }: JobRun): Promise<number> {
  const known = new KnownIds();
  const ahead = new PagesAhead();
  const early = job === "provider_figures" ? FIGURES_AFTER_MS : 0;
  let handled = 0;
  for (let turn = 0; ; turn++) {
    const queue: IngestMessage[] = [];
    const now = () => Date.now() - (turn === 0 ? early : 0);
    const enqueue = async (messages: readonly IngestMessage[]) => void queue.push(...messages);
    const settings = { pool, provider, known, ahead, largeTradeMinUsd: 5_000, backfillDays: 1, now, enqueue, hasten: () => undefined };
    const more = await runJob(job, settings);
    for (const message of queue) await handleMessage(message, { pool, provider, known, now: () => new Date(now()) });
    handled += queue.length;
    // The comparison of all profiles is handed out until enough time has passed, and is no sign that more wait.
    const isBusy = more || queue.some(({ kind }) => kind !== "rank_profiles" && kind !== "refresh_books");
    if (!isBusy && !(early > 0 && turn === 0)) return handled;
  }
}
