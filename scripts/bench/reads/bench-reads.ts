import type { BenchServices } from "../bench-services.ts";
import { bundleFloor, type Bundle } from "../bundles.ts";
import { measureLatency, measureLoad, median } from "./measure-load.ts";
import { startReadWorkers } from "./read-workers.ts";

const CONNECTIONS = 16;
const BUSY_CALLERS = 20;

/** The amount of each kind of load. */
interface Loads {
  readonly rounds: number;
  readonly seconds: number;
}
const WHOLE: Loads = { rounds: 3, seconds: 5 };
const SMALL: Loads = { rounds: 1, seconds: 1 };

/**
 * Reads on workerd, each as a ratio to a bare Hono route on the same workerd. Aims: a warm read reaches 0.25
 * of the bare route's requests/s, with p50 within 5 ms at concurrency 1, of which admission takes 3 ms.
 */
export async function benchReads(
  product: Bundle,
  services: BenchServices,
  variables: Record<string, string>,
  isSmall: boolean,
): Promise<void> {
  const workers = await startReadWorkers(product, await bundleFloor(), variables);
  try {
    // The response is in the isolate's memory, so the time above the floor is admission and sending 13 KB.
    const read = {
      name: "warm GET /api/v1/large-trades",
      url: `${workers.product}/api/v1/large-trades`,
      callers: services.callers,
    };
    const bare = { name: "bare route", url: `${workers.floor}/bare`, callers: services.callers };
    const stored = {
      name: "bare route with one object call that stores",
      url: `${workers.floor}/stored`,
      callers: services.callers,
    };
    await compareLoad([read, stored, bare], isSmall ? SMALL : WHOLE);
    await compareLatency([read, stored, bare]);
  } finally {
    await workers.stop();
  }
}

interface Target {
  readonly name: string;
  readonly url: string;
  readonly callers: readonly Record<string, string>[];
}

/** Measures all targets in turn, so that a slower machine slows all of them. The last one is the floor. */
async function compareLoad(targets: readonly Target[], loads: Loads): Promise<void> {
  // Warms every caller's credential and creates its objects.
  for (const { url, callers } of targets)
    await measureLatency(url, callers, { requests: callers.length, concurrency: CONNECTIONS });
  const rates = targets.map((): number[] => []);
  for (let round = 0; round < loads.rounds; round++) {
    for (const [index, target] of targets.entries()) {
      const { requestsPerSecond, failed } = await measureLoad({
        ...target,
        connections: CONNECTIONS,
        seconds: loads.seconds,
      });
      if (failed > 0) throw new Error(`${failed} requests to ${target.url} failed`);
      rates[index]?.push(requestsPerSecond);
    }
  }
  const floor = median(rates.at(-1) ?? []);
  for (const [index, { name }] of targets.entries()) {
    const rate = median(rates[index] ?? []);
    const range = (rates[index] ?? []).map(Math.round).join(", ");
    console.log(`${name}: ${Math.round(rate)} requests/s (${range}), ${(rate / floor).toFixed(2)} of the bare route`);
  }
}

async function compareLatency(targets: readonly Target[]): Promise<void> {
  for (const [turn, concurrency] of [1, 32].entries()) {
    const times = [];
    for (const { url, callers } of targets) {
      // Few callers with many requests each, as real clients: each sends half of its minute's limit.
      const busy = callers.slice(turn * BUSY_CALLERS, (turn + 1) * BUSY_CALLERS);
      times.push(await measureLatency(url, busy, { requests: BUSY_CALLERS * 50, concurrency }));
    }
    const floor = times.at(-1);
    for (const [index, { name }] of targets.entries()) {
      const { p50Ms = Number.NaN, p99Ms = Number.NaN } = times[index] ?? {};
      const added = (ms: number, of = Number.NaN) => `${ms.toFixed(2)} ms (${(ms - of).toFixed(2)} more than bare)`;
      console.log(
        `concurrency ${concurrency}, ${name}: p50 ${added(p50Ms, floor?.p50Ms)}, p99 ${added(p99Ms, floor?.p99Ms)}`,
      );
    }
  }
}
