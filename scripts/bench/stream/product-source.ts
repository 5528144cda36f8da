import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { StreamSource } from "./measure-fanout.ts";
import { EVENT } from "./stream-event.ts";
import type { StreamWorker } from "./stream-worker.ts";

/** The product's stream: events are committed to the outbox and the stream is told, as ingest does. */
export async function openProductSource(worker: StreamWorker, databaseUrl: string): Promise<StreamSource & { stop(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();

  const announce = (count: number) =>
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
      for (let made = 0; made < frames; made += batch) {
        const waitMs = startedAt + made * everyMs - performance.now();
        if (waitMs > 0) await sleep(waitMs);
        await announce(batch);
        for (let of = 0; of < batch; of++) committed.push(Date.now());
        // Whoever publishes does not wait for it.
        worker.wakeStream().catch((error: unknown) => console.error(error));
      }
      return committed;
    },
    collectGarbage: worker.collectGarbage,
    stop: () => client.end(),
  };
}
