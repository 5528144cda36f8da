import { percentile } from "../engine/percentiles.ts";
import type { Sample } from "./samples.ts";

/**
 * Times of requests in ms: `total` as the client sees them, `api` the part within the Worker (`api;dur` of
 * Server-Timing).
 */
export interface RequestTimes {
  readonly total: readonly number[];
  readonly api: readonly number[];
}

export interface LatencySummary {
  readonly p50: number;
  readonly p99: number;
}

export const summarizeLatencies = (times: readonly number[]): LatencySummary => ({
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
});

/**
 * When to stop: after `requests` requests or `ms` milliseconds, whichever comes first, but not before `least`
 * requests.
 */
export interface Bounds {
  readonly least: number;
  readonly requests: number;
  readonly ms: number;
}

/** Rotates the callers' headers over the requests, so that no caller meets a limit. */
export class BenchClient {
  readonly #origin: string;
  readonly #callers: readonly Record<string, string>[];
  #sent = 0;

  constructor(origin: string, callers: readonly Record<string, string>[]) {
    this.#origin = origin;
    this.#callers = callers;
  }

  /** @throws Error for a response that is neither a success nor a redirect */
  async send(
    { path, body }: Sample,
    headers: Record<string, string> = {},
  ): Promise<{ ms: number; apiMs: number; text: string }> {
    const startedAt = performance.now();
    const response = await fetch(this.#origin + path, {
      method: body === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: {
        ...this.#callers[this.#sent++ % this.#callers.length],
        ...headers,
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const ms = performance.now() - startedAt;
    if (response.status >= 400) throw new Error(`${path} responded with ${response.status}: ${text.slice(0, 300)}`);
    return {
      ms,
      apiMs: Number(/api;dur=([\d.]+)/.exec(response.headers.get("server-timing") ?? "")?.[1] ?? Number.NaN),
      text,
    };
  }

  /** Sends samples in rotation, `concurrency` at a time. */
  async measure(
    samples: readonly Sample[],
    concurrency: number,
    { least, requests, ms }: Bounds,
  ): Promise<RequestTimes> {
    const times = { total: [] as number[], api: [] as number[] };
    const endsAt = performance.now() + ms;
    let sent = 0;
    const send = async () => {
      while (sent < requests && (sent < least || performance.now() < endsAt)) {
        const sample = samples[sent++ % samples.length];
        if (sample === undefined) return;
        const response = await this.send(sample);
        times.total.push(response.ms);
        times.api.push(response.apiMs);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, send));
    return times;
  }
}
