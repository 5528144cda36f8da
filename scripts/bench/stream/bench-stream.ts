import { setTimeout as sleep } from "node:timers/promises";
import { UNREAD_TIMEOUT_MS } from "../../../src/operations/events/stream-connection.ts";
import type { BenchServices } from "../bench-services.ts";
import type { Bundle } from "../bundles.ts";
import { percentile } from "../engine/percentiles.ts";
import { median } from "../reads/measure-load.ts";
import { startBareBroadcast } from "./bare-broadcast.ts";
import { startBareWorkerd } from "./bare-workerd.ts";
import { measureFanout, p50p99, type FanoutFigures, type StreamSource } from "./measure-fanout.ts";
import { measureMemory } from "./measure-memory.ts";
import { openProductSource } from "./product-source.ts";
import { createStreamCallers } from "./stream-callers.ts";
import { FILTERS } from "./stream-event.ts";
import { startStreamWorker } from "./stream-worker.ts";
import { startSubscribers, type StreamRequest } from "./subscribers.ts";

interface Sizes {
  readonly listeners: number;
  readonly rounds: number;
  /** Frames published at once, and frames published one after the other. */
  readonly atOnce: number;
  readonly paced: number;
  readonly connections: number;
}
const WHOLE: Sizes = { listeners: 1_000, rounds: 2, atOnce: 1_000, paced: 300, connections: 5_000 };
const SMALL: Sizes = { listeners: 100, rounds: 1, atOnce: 200, paced: 50, connections: 200 };

const EVERY_MS = 20;
/** The timeout of a stream that is not read, and a minute for the shard's heartbeats and keep-alives. */
const GONE_MS = UNREAD_TIMEOUT_MS + 60_000;

/**
 * The stream on workerd beside a bare Node broadcast of the same frames. Aims: with filters, 0.25 of its
 * frames for a second of a core at 1,000 listeners; a frame reaches the last listener within 50 ms (p99) at
 * 50 frames a second; 60 KiB a connection at 5,000 above that of a bare workerd of the same shape, which is the cost
 * of the runtime itself when one process has all objects and Workers of the stream. Frames are also compared with it.
 */
export async function benchStream(
  product: Bundle,
  services: BenchServices,
  variables: Record<string, string>,
  isSmall: boolean,
): Promise<void> {
  const sizes = isSmall ? SMALL : WHOLE;
  const openCallers = (connections: number, name: string) =>
    createStreamCallers(
      services.databaseUrl,
      services.variables["CREDENTIAL_SECRET"] ?? "",
      connections / FILTERS.length,
      name,
    );
  const many = requestsOf(await openCallers(sizes.connections, "many"), sizes.connections);
  const listeners = requestsOf(await openCallers(sizes.listeners, "listener"), sizes.listeners);
  const worker = await startStreamWorker(product, variables);
  const runtime = await startBareWorkerd();
  const bare = await startBareBroadcast();
  const source = await openProductSource(worker, services.databaseUrl);
  try {
    const [own, floor] = await measureMemory([source, runtime, bare], many);
    const closedAt = performance.now();
    if (own !== undefined && floor !== undefined)
      console.log(
        `${source.name}, memory of a connection above ${runtime.name}'s: ${(own.idle - floor.idle).toFixed(1)} KiB, ${(own.used - floor.used).toFixed(1)} KiB after 20 frames (aim: 60 KiB)`,
      );
    await compareFanout([source, runtime, bare], listeners, sizes);
    await sleep(Math.max(0, GONE_MS - (performance.now() - closedAt)));
    await printStillCounted(source, many);
  } finally {
    await source.stop();
    bare.stop();
    await runtime.stop();
    await worker.stop();
  }
}

/**
 * Prints how many of the closed connections still count toward the limits of their keys: their clients went without a word,
 * all at once.
 */
async function printStillCounted(source: StreamSource, requests: readonly StreamRequest[]): Promise<void> {
  const subscribers = startSubscribers();
  const refused = await subscribers.tryOpen(source.port, requests);
  subscribers.stop();
  console.log(
    `${source.name}: ${refused} of ${requests.length} connections still count ${GONE_MS / 1_000} s after their clients closed them (aim: 0)`,
  );
}

/** Five connections a key, the limit of a key, each with different filters. */
function requestsOf(callers: readonly Record<string, string>[], connections: number): StreamRequest[] {
  return Array.from({ length: connections }, (_, at) => ({
    path: `/api/v1/stream?${FILTERS[at % FILTERS.length]}`,
    headers: callers[Math.floor(at / FILTERS.length)] ?? {},
  }));
}

async function compareFanout(
  sources: readonly StreamSource[],
  requests: readonly StreamRequest[],
  sizes: Sizes,
): Promise<void> {
  const listeners = requests.length;
  const open = sources.map((source) => ({
    source,
    subscribers: startSubscribers(),
    atOnce: [] as FanoutFigures[],
    paced: [] as FanoutFigures[],
  }));
  try {
    for (const { source, subscribers } of open) await subscribers.open(source.port, requests);
    // In turn, so that a slower machine slows all sources. The first round warms and is not counted.
    for (let round = 0; round <= sizes.rounds; round++) {
      for (const { source, subscribers, atOnce, paced } of open) {
        const fast = await measureFanout(source, subscribers, { frames: sizes.atOnce, everyMs: 0, listeners });
        const slow = await measureFanout(source, subscribers, { frames: sizes.paced, everyMs: EVERY_MS, listeners });
        if (round === 0) continue;
        atOnce.push(fast);
        paced.push(slow);
      }
    }
  } finally {
    for (const { subscribers } of open) subscribers.stop();
  }
  const node = open.at(-1);
  for (const { source, atOnce, paced } of open) {
    for (const [how, own, bare] of [
      [`${sizes.atOnce} frames at once`, atOnce, node?.atOnce],
      ["50 frames/s", paced, node?.paced],
    ] as const) {
      const rate = medianRate(own);
      const ratio = (rate / medianRate(bare ?? [])).toFixed(2);
      const wall = Math.round(median(own.map(({ perSecond }) => perSecond)));
      const cores = median(own.map(({ cores: used }) => used)).toFixed(2);
      console.log(
        `${source.name}, ${listeners} listeners, ${how}: ${Math.round(rate)} frames/s a core (${ratio} of bare Node; aim 0.25); ${wall} a second on ${cores} cores`,
      );
    }
    const commit = paced.flatMap(({ fromCommitMs }) => fromCommitMs);
    console.log(
      `${source.name}, 50 frames/s to the last of ${listeners}: ${p50p99(publishToLast(paced))} from publish (aim: p99 50 ms)${commit.length === 0 ? "" : `, ${p50p99(commit)} from commit`}`,
    );
  }
  const [own, runtime] = open;
  if (own === undefined || runtime === undefined) return;
  const times = (share: number) =>
    (percentile(publishToLast(own.paced), share) / percentile(publishToLast(runtime.paced), share)).toFixed(2);
  console.log(
    `${own.source.name}, publish to the last of ${listeners}: p50 ${times(0.5)} times, p99 ${times(0.99)} times ${runtime.source.name}'s`,
  );
}

const publishToLast = (figures: readonly FanoutFigures[]): number[] =>
  figures.flatMap(({ fromPublishMs }) => fromPublishMs);

const medianRate = (figures: readonly FanoutFigures[]): number =>
  median(figures.map(({ perCoreSecond }) => perCoreSecond));
