import { handleMessage } from "../../../src/ingest/handle-message.ts";
import { KnownIds } from "../../../src/ingest/known-ids.ts";
import { PagesAhead } from "../../../src/ingest/pages-ahead.ts";
import { runJob } from "../../../src/ingest/run-job.ts";
import type { IngestMessage } from "../../../src/messages/ingest.ts";
import { openProvider } from "../../../src/providers/polymarket/open-provider.ts";
import { startProviderEndpoint } from "../../provider/index.ts";
import type { EngineDatabase } from "./engine-database.ts";

const WALKS = ["market_walk", "taker_feed", "fill_feed"] as const;
const HANDED_OUT = ["market_hydration", "wallet_sync", "resolutions"] as const;

/** Reads a directory of recordings through the provider's own surface until nothing is due. */
export async function loadRecording({ pool }: EngineDatabase, dir: string): Promise<void> {
  const log = { error: (message: string) => console.error(message) };
  const endpoint = await startProviderEndpoint({ source: { kind: "replay", dir, speed: "max" }, log });
  try {
    const provider = openProvider(endpoint);
    const known = new KnownIds();
    const ahead = new PagesAhead();
    const queue: IngestMessage[] = [];
    const enqueue = async (messages: readonly IngestMessage[]) => void queue.push(...messages);
    // A day ahead of the database's clock, so that what was done is not due again.
    const now = () => Date.now() + 86_400_000;
    const settings = { pool, provider, known, ahead, largeTradeMinUsd: 5_000, backfillDays: 0, now, enqueue, hasten: () => undefined };
    for (const job of WALKS) while (await runJob(job, settings));
    for (let due = true; due;) {
      due = false;
      for (const job of HANDED_OUT) while (await runJob(job, settings)) due = true;
      for (const message of queue.splice(0)) await handleMessage(message, { pool, provider, known, now: () => new Date(now()) });
    }
  } finally {
    await endpoint.stop();
  }
}
