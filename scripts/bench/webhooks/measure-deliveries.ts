import { setTimeout as sleep } from "node:timers/promises";
import { MAX_CONCURRENT_ATTEMPTS } from "../../../src/webhooks/rules/delivery-state.ts";
import { measureBareClient } from "./bare-client.ts";
import type { Receivers } from "./receivers.ts";
import type { WebhookDatabase } from "./webhook-database.ts";
import type { WebhookWorker } from "./webhook-worker.ts";

export interface DeliveriesRequest {
  readonly endpoints: number;
  /** For each endpoint. */
  readonly deliveries: number;
}

/** The size of a large trade's payload. */
const BODY_BYTES = 600;
const POLL_MS = 20;

/**
 * Deliveries a second, signed, posted and recorded, beside a bare client that signs and posts the same bodies
 * to the same receivers with the same concurrency.
 */
export async function measureDeliveries(
  request: DeliveriesRequest,
  { worker, database, receivers }: { worker: WebhookWorker; database: WebhookDatabase; receivers: Receivers },
): Promise<{ product: number; bare: number }> {
  const urls = Array.from({ length: request.endpoints }, (_, index) => receivers.url(`load-${index}`, "fine"));
  const endpoints = await database.createEndpoints(urls);
  const events = await database.createDeliveries(endpoints, request.deliveries, BODY_BYTES);
  await database.query("vacuum analyze webhook_deliveries");
  const total = request.endpoints * request.deliveries;
  const posts = events.flatMap(({ id, body }) => endpoints.map(({ url, secret }) => ({ url, id, body, secret })));
  const bareSeconds = await measureBareClient({ posts, concurrency: request.endpoints * MAX_CONCURRENT_ATTEMPTS });
  await receivers.arrivals();
  const startedAt = performance.now();
  await worker.wakeEndpoints(endpoints.map(({ id }) => id));
  // Polls through the index of unfinished deliveries, because the last ones are recorded after they arrive.
  const open =
    "select exists (select from webhook_deliveries where endpoint_id = any($1) and status in ('pending', 'retry', 'processing')) as open";
  while ((await database.query(open, [endpoints.map(({ id }) => id)]))[0]?.["open"] === true) await sleep(POLL_MS);
  const seconds = (performance.now() - startedAt) / 1000;
  const arrived = await receivers.arrivals();
  const distinct = new Set(arrived.map(({ receiver, eventId }) => `${receiver} ${eventId}`)).size;
  if (distinct !== total) throw new Error(`${distinct} of ${total} deliveries arrived`);
  await database.deleteEndpoints();
  return { product: total / seconds, bare: total / bareSeconds };
}
