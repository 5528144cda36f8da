import { fork } from "node:child_process";
import type { LoadRequest, LoadResult } from "./load-process.ts";

/** Runs one load against one address. */
export function measureLoad(request: LoadRequest): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork("scripts/bench/reads/load-process.ts", { execArgv: ["--disable-warning=ExperimentalWarning"] });
    // The cast is safe: the child sends only this message.
    child.once("message", (message) => resolve(message as LoadResult));
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? undefined : reject(new Error(`the load ended with exit code ${code}`))));
    child.send(request);
  });
}

/** Sends requests with a fixed concurrency. @returns the median and 99th percentile, ms with fractions */
export async function measureLatency(
  url: string,
  callers: readonly Record<string, string>[],
  { requests, concurrency }: { requests: number; concurrency: number },
): Promise<{ p50Ms: number; p99Ms: number }> {
  const times: number[] = [];
  let sent = 0;
  const send = async () => {
    while (sent < requests) {
      const headers = callers[sent++ % callers.length] ?? {};
      const start = performance.now();
      const response = await fetch(url, { headers });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, send));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
