import { setTimeout as sleep } from "node:timers/promises";
import { startReceivers, type Receivers } from "../bench/webhooks/receivers.ts";
import type { StoredEndpoint } from "../bench/webhooks/webhook-database.ts";
import { createRandom } from "../provider/simulate/random.ts";
import { startWebhookProduct, type WebhookProduct } from "./webhook-product.ts";

export interface FaultsRequest {
  /** The number of acknowledged events. */
  readonly events: number;
  /** How long processes are killed. */
  readonly seconds: number;
  readonly seed: number;
  /** Whether leases and retry delays end at once after the kills, as if their time had passed. */
  readonly skipsWaiting: boolean;
  readonly log: (line: string) => void;
}

export interface FaultsResult {
  readonly acknowledged: number;
  readonly kills: Readonly<Record<string, number>>;
  /** How many deliveries have each status at the end. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Acknowledged events whose delivery is missing, unfinished, or never arrived at the receiver. */
  readonly lost: readonly string[];
  /** Arrivals beyond the first of each delivery. */
  readonly repeats: number;
}

const CRON_MS = 5_000;
/** A lease, the sweep after it, and the delays of a few failed attempts. */
const END_MS = 480_000;
const END_WITHOUT_WAITING_MS = 90_000;

interface Parts extends WebhookProduct {
  readonly receivers: Receivers;
  readonly random: () => number;
}

/**
 * Publishes events while the Worker, the queue and Postgres are killed at random and restarted. When all is
 * quiet it checks every event that Postgres had acknowledged.
 */
export async function runWebhookFaults(request: FaultsRequest): Promise<FaultsResult> {
  const product = await startWebhookProduct();
  const receivers = await startReceivers();
  try {
    return await run({ ...product, receivers, random: createRandom("faults", request.seed).next }, request);
  } finally {
    receivers.stop();
    await product.stop();
  }
}

async function run(parts: Parts, request: FaultsRequest): Promise<FaultsResult> {
  const { receivers, database, worker } = parts;
  const kinds = ["fine", "fine", request.skipsWaiting ? "fine" : "shaky"] as const;
  const endpoints = await database.createEndpoints(kinds.map((kind, index) => receivers.url(`faults-${index}`, kind)));
  // The Worker's cron wakes the dispatcher the same way, less often.
  const cron = setInterval(() => void worker.wakeDispatcher().catch(() => undefined), CRON_MS);
  try {
    const endsAtMs = Date.now() + request.seconds * 1000;
    const [ids, kills] = await Promise.all([
      publishAll(parts, request, endsAtMs),
      killAtRandom(parts, request, endsAtMs),
    ]);
    request.log(`${ids.length} events acknowledged, ${JSON.stringify(kills)}`);
    if (request.skipsWaiting) await skipWaiting(parts);
    const arrived = await waitUntilDelivered(parts, request);
    return { acknowledged: ids.length, kills, ...(await checkDeliveries(parts, endpoints, ids, arrived)) };
  } finally {
    clearInterval(cron);
  }
}

/**
 * Publishes over the whole time. An event without an acknowledgement does not count, although it may be
 * stored.
 */
async function publishAll(
  { database, worker, random }: Parts,
  { events, seconds }: FaultsRequest,
  endsAtMs: number,
): Promise<string[]> {
  const ids: string[] = [];
  const pauseMs = (seconds * 1000) / (events / 10);
  while (ids.length < events) {
    const count = Math.min(events - ids.length, 1 + Math.floor(random() * 20));
    const published = await database.publish(count).catch(() => []);
    ids.push(...published);
    if (published.length > 0) void worker.wakeDispatcher().catch(() => undefined);
    if (Date.now() < endsAtMs) await sleep(pauseMs * 0.8);
    else if (published.length === 0) await sleep(100);
  }
  return ids;
}

async function killAtRandom({ postgres, worker, random }: Parts, { seconds, log }: FaultsRequest, endsAtMs: number) {
  const kills = { worker: 0, queue: 0, postgres: 0 };
  const everyMs = Math.min(8_000, (seconds * 1000) / 8);
  for (;;) {
    await sleep(everyMs * (0.3 + 0.7 * random()));
    if (Date.now() >= endsAtMs) return kills;
    const [which, awayMs] = [random(), random() * 2_000];
    if (which < 0.4 || which >= 0.9) {
      kills.worker++;
      await worker.kill();
    }
    if (which >= 0.4 && which < 0.6) {
      kills.queue++;
      worker.dropMessages();
      continue;
    }
    if (which >= 0.6) {
      kills.postgres++;
      await postgres.crash();
    }
    await sleep(awayMs);
    if (which >= 0.6) await postgres.restart();
    if (which < 0.4 || which >= 0.9) await worker.restart();
    log(`${Math.round((endsAtMs - Date.now()) / 1000)} s to go, killed ${JSON.stringify(kills)}`);
  }
}

/**
 * Ends all leases and retry delays. Safe only while no Worker runs, because then no delivery is in progress.
 */
async function skipWaiting({ worker, database }: Parts): Promise<void> {
  await worker.kill();
  await database.query("update webhook_deliveries set lease_until = now() where status = 'processing'");
  await database.query(
    "update webhook_deliveries set next_attempt_at = now() - interval '1 min' where status in ('pending', 'retry')",
  );
  await worker.restart();
  await worker.wakeDispatcher();
}

/** @returns how often each event has arrived, by receiver and event */
async function waitUntilDelivered(
  { database, receivers }: Parts,
  { log, skipsWaiting }: FaultsRequest,
): Promise<ReadonlyMap<string, number>> {
  const behind = `
    select (select count(*) from events e left join outbox_readers r on r.name = 'webhooks'
        where r.name is null or (e.commit_xid, e.id) > (r.commit_xid, r.event_id))::int as events,
      (select count(*) from webhook_deliveries where status in ('pending', 'retry', 'processing'))::int as deliveries`;
  const endMs = skipsWaiting ? END_WITHOUT_WAITING_MS : END_MS;
  for (const endsAt = Date.now() + endMs; Date.now() < endsAt; await sleep(1_000)) {
    const [waiting] = await database.query(behind);
    if (waiting?.["events"] === 0 && waiting["deliveries"] === 0) break;
    log(`waiting: ${JSON.stringify(waiting)}`);
  }
  const arrived = new Map<string, number>();
  for (const { receiver, eventId } of await receivers.arrivals()) {
    const key = `${receiver} ${eventId}`;
    arrived.set(key, (arrived.get(key) ?? 0) + 1);
  }
  return arrived;
}

async function checkDeliveries(
  { database }: Parts,
  endpoints: readonly StoredEndpoint[],
  ids: readonly string[],
  arrived: ReadonlyMap<string, number>,
) {
  const rows = await database.query(
    "select endpoint_id::text || ' ' || event_id as key, status from webhook_deliveries",
  );
  const statusOf = new Map(rows.map(({ key, status }) => [String(key), String(status)]));
  const lost = endpoints.flatMap(({ id, url }, index) =>
    ids
      .filter((event) => {
        const status = statusOf.get(`${id} ${event}`);
        const hasArrived = arrived.has(`faults-${index} ${event}`);
        return !hasArrived || (status !== "delivered" && status !== "dead_letter");
      })
      .map((event) => `${event} to ${url}: ${statusOf.get(`${id} ${event}`) ?? "no delivery"}`),
  );
  const arrivals = [...arrived.values()].reduce((sum, times) => sum + times, 0);
  return { statuses: await database.countDeliveries(), lost, repeats: arrivals - arrived.size };
}
