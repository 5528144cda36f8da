import { handleMessage } from "../../../src/ingest/queue/handle-message.ts";
import { DISPOSABLE_SEALING, openJobContext } from "../job-context.ts";
import { RowIdCache } from "../../../src/ingest/feeds/row-id-cache.ts";
import { runJob } from "../../../src/jobs/registry.ts";
import type { IngestMessage } from "../../../src/messages/ingest-message.ts";
import { openProvider } from "../../../src/providers/polymarket/open-provider.ts";
import { startProviderEndpoint } from "../../provider/index.ts";
import type { EngineDatabase } from "./engine-database.ts";
import { DAY_MS } from "../../../src/scoring/utc-calendar.ts";

const WALKS = ["walk_markets", "read_taker_trades", "read_all_trades"] as const;
const QUEUED_JOBS = ["hydrate_markets", "sync_traders", "check_results"] as const;

/** Ingests a directory of recordings through the provider endpoint until no job is due. */
export async function ingestRecording({ pool }: EngineDatabase, dir: string): Promise<void> {
  const log = { error: (message: string) => console.error(message) };
  const endpoint = await startProviderEndpoint({ source: { kind: "replay", dir, speed: "max" }, log });
  try {
    const provider = openProvider({ ...endpoint, relay: null });
    const rowIds = new RowIdCache();
    const queue: IngestMessage[] = [];
    const enqueue = async (messages: readonly IngestMessage[]) => void queue.push(...messages);
    // A day ahead of the database's clock, so that work done now is not due again during the load.
    const now = () => Date.now() + DAY_MS;
    const settings = openJobContext({ pool, provider, enqueue, rowIds, now, sealing: DISPOSABLE_SEALING });
    for (const job of WALKS) while (await runJob(job, settings));
    for (let due = true; due;) {
      due = false;
      for (const job of QUEUED_JOBS) while (await runJob(job, settings)) due = true;
      due ||= queue.length > 0;
      for (const message of queue.splice(0))
        await handleMessage(message, { pool, provider, rowIds: rowIds, now: () => new Date(now()) });
    }
  } finally {
    await endpoint.stop();
  }
}
