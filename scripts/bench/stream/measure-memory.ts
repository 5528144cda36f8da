import { setTimeout as sleep } from "node:timers/promises";
import type { StreamSource } from "./measure-fanout.ts";
import { readFigures } from "./process-figures.ts";
import { startSubscribers, type StreamRequest } from "./subscribers.ts";

/** Connections opened and closed before the measurement, so that every account's meter object exists. */
const WARM = 500;
/** Time for memory that was needed only to open the connections to become collectable. */
const SETTLE_MS = 2_000;
const KIB = 1_024;

async function readSettled(source: StreamSource): Promise<number> {
  await sleep(SETTLE_MS);
  await source.collectGarbage();
  await sleep(SETTLE_MS);
  return readFigures(source.pid).residentBytes;
}

/** The memory that an open connection costs in the process that holds it. Aim: 30 KB. */
export async function measureMemory(
  sources: readonly StreamSource[],
  requests: readonly StreamRequest[],
): Promise<void> {
  for (const source of sources) {
    const subscribers = startSubscribers();
    await subscribers.open(source.port, requests.slice(0, WARM));
    await subscribers.close();
    const base = await readSettled(source);
    const startedAt = performance.now();
    await subscribers.open(source.port, requests);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const idle = await readSettled(source);
    await subscribers.forget();
    await source.publish(20, 50);
    await subscribers.until(20, 60_000);
    const used = await readSettled(source);
    const each = (bytes: number) => `${((bytes - base) / requests.length / KIB).toFixed(1)} KiB`;
    console.log(
      `${source.name}, ${requests.length} connections opened in ${seconds} s: ${each(idle)} each over a base of ${Math.round(base / KIB / KIB)} MiB, ${each(used)} after 20 frames (aim: 30 KB)`,
    );
    await subscribers.close();
    subscribers.stop();
  }
}
