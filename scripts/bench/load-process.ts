import autocannon from "autocannon";

export interface LoadRequest {
  readonly url: string;
  /** The headers of each caller; requests come from one after the other. */
  readonly callers: readonly Record<string, string>[];
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
}

// Runs one load in a process of its own, so that measuring does not slow what is measured more than it must.
process.once("message", async (request: LoadRequest) => {
  const result = await autocannon({
    url: request.url,
    requests: request.callers.map((headers) => ({ headers })),
    connections: request.connections,
    duration: request.seconds,
  });
  const answer: LoadResult = {
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  };
  process.send?.(answer, () => process.exit(0));
});
