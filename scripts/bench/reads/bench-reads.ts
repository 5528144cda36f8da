import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import type { BenchServices } from "../bench-services.ts";
import { bundleFloor, type Bundle } from "../bundles.ts";
import { measureLatency, measureLoad, median } from "./measure-load.ts";
import { startReadWorkers, type ReadWorkers } from "./read-workers.ts";

const CONNECTIONS = 16;
const BUSY_CALLERS = 20;

/** The amount of each kind of load. */
interface Loads {
  readonly rounds: number;
  readonly seconds: number;
}
const WHOLE: Loads = { rounds: 3, seconds: 5 };
const SMALL: Loads = { rounds: 1, seconds: 1 };

/** A file system in memory, on Linux. */
const MEMORY_DIRECTORY = "/dev/shm";

/**
 * Reads on workerd, each as a ratio to a bare Hono route on the same workerd: with the objects' storage on this disk, then
 * in memory. Aims: a warm read reaches 0.8 of the requests/s of a bare route with one object call that stores, with p50
 * within 5 ms of the bare route at concurrency 1, of which admission takes 3 ms.
 */
export async function benchReads(
  product: Bundle,
  services: BenchServices,
  variables: Record<string, string>,
  isSmall: boolean,
): Promise<void> {
  const floor = await bundleFloor();
  const directories = [tmpdir(), ...(existsSync(MEMORY_DIRECTORY) ? [MEMORY_DIRECTORY] : [])];
  for (const directory of directories) {
    console.log(`objects store in ${directory}:`);
    const workers = await startReadWorkers(product, floor, variables, directory);
    try {
      await measureReads(workers, services, isSmall);
    } finally {
      await workers.stop();
    }
  }
}

async function measureReads(workers: ReadWorkers, { callers }: BenchServices, isSmall: boolean): Promise<void> {
  // The response is in the isolate's memory, so the time above the floor is admission and sending 13 KB.
  const read = { name: "warm GET /api/v1/large-trades", url: `${workers.product}/api/v1/large-trades`, callers };
  const stored = { name: "bare route with one object call that stores", url: `${workers.floor}/stored`, callers };
  const bare = { name: "bare route", url: `${workers.floor}/bare`, callers };
  await compareLoad([read, stored, bare], isSmall ? SMALL : WHOLE);
  await compareLatency([read, stored, bare]);
}

interface Target {
  readonly name: string;
  readonly url: string;
  readonly callers: readonly Record<string, string>[];
}

/** Measures all targets in turn, so that a slower machine slows all of them. The last two are the floors. */
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
  const medians = rates.map(median);
  const [storedRate = Number.NaN, bareRate = Number.NaN] = medians.slice(-2);
  for (const [index, { name }] of targets.entries()) {
    const rate = medians[index] ?? Number.NaN;
    const range = (rates[index] ?? []).map(Math.round).join(", ");
    const ratios = `${(rate / storedRate).toFixed(2)} of the bare route that stores, ${(rate / bareRate).toFixed(2)} of the bare route`;
    console.log(`${name}: ${Math.round(rate)} requests/s (${range}), ${ratios}`);
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
