import { setTimeout as sleep } from "node:timers/promises";
import type { StreamSource } from "./measure-fanout.ts";
import { readFigures } from "./process-figures.ts";
import { startSubscribers, type StreamRequest } from "./subscribers.ts";

/** So many connections come and go before: every account's meter is there by then. */
const WARM = 500;
/** What was needed to open the connections has been thrown away by then. */
const SETTLE_MS = 2_000;
const KIB = 1_024;

async function readSettled(source: StreamSource): Promise<number> {
  await sleep(SETTLE_MS);
  await source.collectGarbage();
  await sleep(SETTLE_MS);
  return readFigures(source.pid).residentBytes;
}

/** What a connection that is open costs in the memory of the process that holds it. Aim: 30 KB. */
export async function measureMemory(sources: readonly StreamSource[], requests: readonly StreamRequest[]): Promise<void> {
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
