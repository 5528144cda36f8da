import { setTimeout as sleep } from "node:timers/promises";
import type { StreamSource } from "./measure-fanout.ts";
import { readFigures } from "./process-figures.ts";
import { startSubscribers, type StreamRequest } from "./subscribers.ts";

/** Connections opened and closed before the measurement, so that every account's meter object exists. */
const WARM = 500;
/** Time for memory that was needed only to open the connections to become collectable. */
const SETTLE_MS = 2_000;
/** The product notices a closed client when it next writes to it, within 5 s. */
const RELEASE_MS = 8_000;
const KIB = 1_024;

async function readSettled(source: StreamSource): Promise<number> {
  await sleep(SETTLE_MS);
  await source.collectGarbage();
  await sleep(SETTLE_MS);
  return readFigures(source.pid).residentBytes;
}

/** The memory of a process for each open connection, in KiB. */
interface ConnectionMemory {
  readonly idle: number;
  /** After 20 frames. */
  readonly used: number;
}

/** Measures the memory that an open connection costs in the process that holds it. @returns one figure for each source */
export async function measureMemory(
  sources: readonly StreamSource[],
  requests: readonly StreamRequest[],
): Promise<ConnectionMemory[]> {
  const figures: ConnectionMemory[] = [];
  for (const source of sources) {
    const subscribers = startSubscribers();
    await subscribers.open(source.port, requests.slice(0, WARM));
    await subscribers.close();
    await sleep(RELEASE_MS);
    const base = await readSettled(source);
    const startedAt = performance.now();
    await subscribers.open(source.port, requests);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const idleBytes = await readSettled(source);
    await subscribers.forget();
    await source.publish(20, 50);
    await subscribers.until(20, 60_000);
    const usedBytes = await readSettled(source);
    const each = (bytes: number) => (bytes - base) / requests.length / KIB;
    const [idle, used] = [each(idleBytes), each(usedBytes)];
    figures.push({ idle, used });
    console.log(
      `${source.name}, ${requests.length} connections opened in ${seconds} s: ${idle.toFixed(1)} KiB each over a base of ${Math.round(base / KIB / KIB)} MiB, ${used.toFixed(1)} KiB after 20 frames`,
    );
    await subscribers.close();
    subscribers.stop();
  }
  return figures;
}
