import { bundleFloor, type Bundle } from "../bundles.ts";
import type { LoadResult } from "../reads/load-process.ts";
import { measureLatency, measureLoad, median } from "../reads/measure-load.ts";
import { startReadWorkers } from "../reads/read-workers.ts";
import type { FileBench } from "./bench-files.ts";
import { startConsumer } from "./consumer.ts";
import { submitJobs } from "./file-database.ts";

const JOBS_AT_ONCE = 20;
/** As many as `max_concurrency` of the queue. */
const CONSUMERS = 4;
const CALLERS = 800;
/** About as many as one connection of 16 asks for in five seconds. */
const CALLERS_A_RUN = 160;
/** A rate that leaves most of one core to the jobs, requests/s. */
const STEADY_RATE = 50;
const ROUNDS = 3;

/**
 * Reads without jobs, with them, and without them again: the machine's own changes are between the first and the last.
 * At a steady rate their times count; as many as the machine answers show what is left of the rate when jobs and reads
 * compete for the same cores. Consumers get what the reads leave: in production they have cores of their own, and share
 * only Postgres with reads.
 *
 * @throws Error when a job ends before the reads beside it do
 */
export async function compareReads(
  parts: FileBench,
  product: Bundle,
  variables: Record<string, string>,
): Promise<void> {
  const workers = await startReadWorkers(product, await bundleFloor(), variables);
  try {
    const url = `${workers.product}/api/v1/large-trades`;
    // Each caller's meter writes to Postgres too.
    const callers = parts.services.callers.slice(0, CALLERS);
    await measureLatency(url, callers, { requests: callers.length, concurrency: 16 });
    const seconds = parts.isSmall ? 1 : 5;
    let runs = 0;
    const load = (ratePerSecond: number | null) => {
      // All connections begin with the first caller. The next run begins with others, so that none meets its limit.
      const start = (runs++ * CALLERS_A_RUN) % CALLERS;
      const own = [...callers.slice(start), ...callers.slice(0, start)];
      return measureLoad({ url, callers: own, connections: 16, seconds, ratePerSecond });
    };
    const measure = async () => {
      const [steady, most]: [LoadResult[], LoadResult[]] = [[], []];
      for (let round = 0; round < (parts.isSmall ? 1 : ROUNDS); round += 1) {
        steady.push(await load(STEADY_RATE));
        most.push(await load(null));
      }
      return {
        p50Ms: median(steady.map(({ p50Ms }) => p50Ms)),
        p99Ms: median(steady.map(({ p99Ms }) => p99Ms)),
        rate: median(most.map(({ requestsPerSecond }) => requestsPerSecond)),
        failed: [...steady, ...most].reduce((sum, { failed }) => sum + failed, 0),
      };
    };
    const before = await measure();
    const jobs = await startJobs(parts);
    const beside = await measure();
    jobs.end();
    const after = await measure();
    const name = `files, reads beside ${JOBS_AT_ONCE} jobs of ${CONSUMERS} idle consumers`;
    const of = (figure: "p50Ms" | "p99Ms" | "rate") =>
      `${beside[figure].toFixed(0)}, without jobs ${before[figure].toFixed(0)} and ${after[figure].toFixed(0)}`;
    const ratio = (figure: "p50Ms" | "rate") => (beside[figure] / ((before[figure] + after[figure]) / 2)).toFixed(2);
    console.log(
      `${name}: at ${STEADY_RATE} requests/s p50 ${of("p50Ms")} ms (${ratio("p50Ms")}; aim: 1.1), p99 ${of("p99Ms")} ms`,
    );
    console.log(`${name}: at most ${of("rate")} requests/s (${ratio("rate")}; aim: 0.9)`);
    console.log(
      `${name}: ${beside.failed} reads failed or timed out, without jobs ${before.failed} and ${after.failed}`,
    );
  } finally {
    await workers.stop();
  }
}

/** Starts the jobs. @returns a function that kills their consumers */
async function startJobs(parts: FileBench): Promise<{ end(): void }> {
  const ids = await submitJobs(parts.client, JOBS_AT_ONCE, "dataset", "ndjson");
  const consumers = await Promise.all(Array.from({ length: CONSUMERS }, () => startConsumer(parts, "idle")));
  let isEnded = false;
  let failure: unknown = null;
  for (const [n, consumer] of consumers.entries()) {
    const own = ids.filter((_id, index) => index % CONSUMERS === n);
    void consumer.run(own).then(
      () => (failure ??= isEnded ? null : new Error("a consumer had no job left; measure with more rows")),
      (error: unknown) => (failure ??= isEnded ? null : error),
    );
  }
  return {
    end() {
      isEnded = true;
      for (const consumer of consumers) consumer.kill();
      if (failure !== null) throw failure;
    },
  };
}
