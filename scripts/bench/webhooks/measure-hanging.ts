import { setTimeout as sleep } from "node:timers/promises";
import { MAX_CONCURRENT_ATTEMPTS } from "../../../src/webhooks/rules/delivery-state.ts";
import type { Receivers } from "./receivers.ts";
import type { WebhookDatabase } from "./webhook-database.ts";
import type { WebhookWorker } from "./webhook-worker.ts";

export interface HangingRequest {
  readonly endpoints: number;
  /** How many of them never respond. */
  readonly hanging: number;
  /** Published one by one, `everyMs` apart. */
  readonly events: number;
  readonly everyMs: number;
}

const WARM_MS = 2_500;
const ARRIVE_MS = 20_000;
let rounds = 0;

/** The time from an event's commit to its arrival, ms, at each responding endpoint. */
export async function measureHanging(
  { endpoints, hanging, events, everyMs }: HangingRequest,
  { worker, database, receivers }: { worker: WebhookWorker; database: WebhookDatabase; receivers: Receivers },
): Promise<number[]> {
  const round = ++rounds;
  const urls = Array.from({ length: endpoints }, (_, index) =>
    receivers.url(`${round}-${index}`, index < hanging ? "hanging" : "fine"),
  );
  await database.createEndpoints(urls);
  // Creates the objects and fills the concurrency of the hanging endpoints.
  await database.publish(MAX_CONCURRENT_ATTEMPTS);
  await worker.wakeDispatcher();
  await sleep(WARM_MS);
  await receivers.arrivals();
  const publishedAtMs = new Map<string, number>();
  for (let sent = 0; sent < events; sent++) {
    const nextAt = performance.now() + everyMs;
    for (const id of await database.publish(1)) publishedAtMs.set(id, performance.timeOrigin + performance.now());
    await worker.wakeDispatcher();
    await sleep(Math.max(0, nextAt - performance.now()));
  }
  const latencies: number[] = [];
  const expected = events * (endpoints - hanging);
  for (const endsAt = performance.now() + ARRIVE_MS; latencies.length < expected; await sleep(100)) {
    if (performance.now() > endsAt) throw new Error(`${latencies.length} of ${expected} deliveries arrived`);
    for (const { eventId, atMs } of await receivers.arrivals()) {
      const publishedAt = publishedAtMs.get(eventId);
      if (publishedAt !== undefined) latencies.push(atMs - publishedAt);
    }
  }
  await database.deleteEndpoints();
  return latencies;
}
