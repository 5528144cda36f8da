import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { StreamSource } from "./measure-fanout.ts";
import { EVENT } from "./stream-event.ts";
import type { StreamWorker } from "./stream-worker.ts";

/** The product's stream: commits events to the outbox and wakes the stream, like ingest. */
export async function openProductSource(
  worker: StreamWorker,
  databaseUrl: string,
): Promise<StreamSource & { stop(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();

  const commitEvents = (count: number) =>
    client.query(
      `insert into events (epoch, type, payload) select (select max(epoch) from outbox_epoch), 'large_trade_inserted_v2', $1
       from generate_series(1, $2::int)`,
      [JSON.stringify(EVENT), count],
    );

  return {
    name: "product",
    port: worker.port,
    pid: worker.pid,
    async publish(frames, everyMs) {
      const committed: number[] = [];
      const startedAt = performance.now();
      const batch = everyMs === 0 ? frames : 1;
      for (let count = 0; count < frames; count += batch) {
        const waitMs = startedAt + count * everyMs - performance.now();
        if (waitMs > 0) await sleep(waitMs);
        await commitEvents(batch);
        for (let n = 0; n < batch; n++) committed.push(Date.now());
        // Publishing does not wait for the fan-out.
        worker.wakeStream().catch((error: unknown) => console.error(error));
      }
      return committed;
    },
    collectGarbage: worker.collectGarbage,
    stop: () => client.end(),
  };
}
