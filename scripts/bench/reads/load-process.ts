import autocannon from "autocannon";

export interface LoadRequest {
  readonly url: string;
  /** The headers of each caller; requests rotate over them. */
  readonly callers: readonly Record<string, string>[];
  readonly connections: number;
  readonly seconds: number;
  /** Of all connections together. Null or absent for as many as are answered. */
  readonly ratePerSecond?: number | null;
  /** The JSON body of a POST. */
  readonly body?: string;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
}

// Runs one load in its own process, so that the measurement slows the measured process as little as possible.
process.once("message", async (request: LoadRequest) => {
  const result = await autocannon({
    url: request.url,
    requests: request.callers.map((headers) =>
      request.body === undefined
        ? { headers }
        : { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: request.body },
    ),
    connections: request.connections,
    duration: request.seconds,
    ...(typeof request.ratePerSecond === "number" && { overallRate: request.ratePerSecond }),
  });
  const figures: LoadResult = {
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  };
  process.send?.(figures, () => process.exit(0));
});
