import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startBenchServices } from "../bench/bench-services.ts";
import { bundleProduct } from "../bench/bundles.ts";
import { createStreamCallers } from "../bench/stream/stream-callers.ts";
import { EVENT } from "../bench/stream/stream-event.ts";
import { startStreamWorker, type StreamWorker } from "../bench/stream/stream-worker.ts";
import { ReconnectingClient } from "./reconnecting-client.ts";

/** How the connections came back after one replacement. */
interface Rejoins {
  readonly of: string;
  readonly count: number;
  readonly seconds: number;
  readonly mostInOneSecond: number;
}

interface DeployResult {
  readonly published: number;
  /** One line for each lost, repeated or misplaced frame; empty when all is well. */
  readonly faults: readonly string[];
  readonly rejoins: readonly Rejoins[];
}

/** Connections opened at a time, and the limit of a key. */
const AT_ONCE = 50;
const CONNECTIONS_PER_KEY = 5;
/**
 * Events published a second, and the most frames delivered for them to all connections together. One workerd process
 * is full at 5,000; beyond that its HTTP server leaves some streams without a byte (docs/scale.md).
 */
const MOST_EVENTS_A_SECOND = 5;
const DELIVERIES_A_SECOND = 2_500;
const QUIET_MS = 3_000;
const WITHIN_MS = 180_000;
/** For services that the stream does not use. */
const NOWHERE = "http://127.0.0.1:1";

/**
 * A deployment in the middle of open streams: first the stream's objects are replaced under a Worker that goes on, then the
 * Worker with its objects. Events are published all the time.
 */
export async function runStreamDeploy(options: {
  readonly connections: number;
  readonly log: (line: string) => void;
}): Promise<DeployResult> {
  const { connections, log } = options;
  const services = await startBenchServices(null);
  const db = new pg.Client({ connectionString: services.databaseUrl });
  await db.connect();
  const worker = await startStreamWorker(bundleProduct(), {
    ...services.variables,
    ...{ PROVIDER_GAMMA_URL: NOWHERE, PROVIDER_DATA_URL: NOWHERE, PROVIDER_CLOB_URL: NOWHERE },
    ...{ PROVIDER_TRADES_SOCKET_URL: "ws://127.0.0.1:1", PROVIDER_SPORTS_SOCKET_URL: "ws://127.0.0.1:1" },
  });
  const clients: ReconnectingClient[] = [];
  const publisher = startPublisher(db, worker, Math.min(MOST_EVENTS_A_SECOND, DELIVERIES_A_SECOND / connections));
  try {
    const secret = services.variables["CREDENTIAL_SECRET"] ?? "";
    const callers = await createStreamCallers(
      services.databaseUrl,
      secret,
      Math.ceil(connections / CONNECTIONS_PER_KEY),
    );
    const url = `http://127.0.0.1:${worker.port}/api/v1/stream`;
    for (let n = 0; n < connections; n++)
      clients.push(new ReconnectingClient(url, callers[Math.floor(n / CONNECTIONS_PER_KEY)] ?? {}));
    for (let n = 0; n < connections; n += AT_ONCE)
      await Promise.all(clients.slice(n, n + AT_ONCE).map((client) => client.open()));
    log(`${connections} connections are open`);
    publisher.begin();
    await sleep(QUIET_MS);

    const joinedBefore = (await worker.joinTimes()).length;
    await worker.replaceObjects();
    await reach("joins", connections, async () => (await worker.joinTimes()).length - joinedBefore);
    const objects = summarise("objects replaced", (await worker.joinTimes()).slice(joinedBefore));
    await sleep(QUIET_MS);

    const attemptsBefore = clients.map(({ reconnectTimes }) => reconnectTimes.length);
    await worker.kill();
    await worker.restart();
    await reach("open connections", connections, async () => clients.filter(({ isOpen }) => isOpen).length);
    const attempts = clients.flatMap(({ reconnectTimes }, n) => reconnectTimes.slice(attemptsBefore[n]));
    const whole = summarise("Worker and objects replaced", attempts);
    await sleep(QUIET_MS);

    const published = await publisher.end();
    const completeCount = async () => clients.filter((client) => countOf(client) >= published).length;
    await reach("complete connections", connections, completeCount, 30_000).catch(() => undefined);
    const first = clients[0]?.firstId ?? null;
    const faults = clients.flatMap((client, n) => [
      ...client.faults.map((fault) => `connection ${n}: ${fault}`),
      ...(client.firstId === first ? [] : [`connection ${n}: began with ${client.firstId}, another one with ${first}`]),
      ...(countOf(client) === published ? [] : [`connection ${n}: ${countOf(client)} of ${published} frames`]),
    ]);
    return { published, faults, rejoins: [objects, whole] };
  } finally {
    for (const client of clients) client.stop();
    await publisher.end();
    await worker.stop();
    await db.end();
    await services.stop();
  }
}

/** The length of the range of frames; a gap in it is a fault of its own. */
const countOf = ({ firstId, lastId }: ReconnectingClient): number =>
  firstId === null || lastId === null ? 0 : lastId - firstId + 1;

/** Commits an event at regular times and wakes the stream, like ingest; a Worker that is away is not woken. */
function startPublisher(db: pg.Client, worker: StreamWorker, eventsASecond: number) {
  let published = 0;
  const end = new AbortController();
  let running = Promise.resolve();
  const publish = async () => {
    while (!end.signal.aborted) {
      await db.query(
        `insert into events (epoch, type, payload)
         select (select max(epoch) from outbox_epoch), 'large_trade_inserted_v2', $1`,
        [JSON.stringify(EVENT)],
      );
      published++;
      await worker.wakeStream().catch(() => undefined);
      await sleep(1_000 / eventsASecond);
    }
  };
  return {
    begin: () => void (running = publish()),
    async end() {
      end.abort();
      await running;
      return published;
    },
  };
}

async function reach(of: string, needed: number, count: () => Promise<number>, withinMs = WITHIN_MS): Promise<void> {
  for (const endsAt = Date.now() + withinMs; ; await sleep(200)) {
    const reached = await count();
    if (reached >= needed) return;
    if (Date.now() > endsAt) throw new Error(`${reached} of ${needed} ${of} within ${withinMs / 1_000} s`);
  }
}

function summarise(of: string, timesMs: readonly number[]): Rejoins {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const first = sorted[0] ?? 0;
  const mostInOneSecond = Math.max(
    0,
    ...sorted.map((ms, n) => sorted.findLastIndex((later) => later < ms + 1_000) - n + 1),
  );
  return { of, count: sorted.length, seconds: ((sorted.at(-1) ?? 0) - first) / 1_000, mostInOneSecond };
}
