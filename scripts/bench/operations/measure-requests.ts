import { percentile } from "../engine/percentiles.ts";
import type { Sample } from "./samples.ts";

/** Times of requests, ms: as the client saw them, and as `api;dur` of Server-Timing tells the part within the Worker. */
export interface RequestTimes {
  readonly total: readonly number[];
  readonly api: readonly number[];
}

export interface Summary {
  readonly p50: number;
  readonly p99: number;
}

export const summarize = (times: readonly number[]): Summary => ({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) });

/** How long to go on: until so many requests or so many ms, whichever comes first, but with so few at least. */
export interface Bounds {
  readonly least: number;
  readonly requests: number;
  readonly ms: number;
}

/** Gives each request the next caller's headers, so that nobody meets a limit. */
export class Client {
  readonly #origin: string;
  readonly #callers: readonly Record<string, string>[];
  #sent = 0;

  constructor(origin: string, callers: readonly Record<string, string>[]) {
    this.#origin = origin;
    this.#callers = callers;
  }

  /** @throws Error for an answer that is neither a success nor a redirect */
  async send({ path, body }: Sample, headers: Record<string, string> = {}): Promise<{ ms: number; apiMs: number; text: string }> {
    const startedAt = performance.now();
    const response = await fetch(this.#origin + path, {
      method: body === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { ...this.#callers[this.#sent++ % this.#callers.length], ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const ms = performance.now() - startedAt;
    if (response.status >= 400) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return { ms, apiMs: Number(/api;dur=([\d.]+)/.exec(response.headers.get("server-timing") ?? "")?.[1] ?? Number.NaN), text };
  }

  /** Sends samples in turn, so many at a time. */
  async measure(samples: readonly Sample[], concurrency: number, { least, requests, ms }: Bounds): Promise<RequestTimes> {
    const times = { total: [] as number[], api: [] as number[] };
    const endsAt = performance.now() + ms;
    let sent = 0;
    const send = async () => {
      while (sent < requests && (sent < least || performance.now() < endsAt)) {
        const sample = samples[sent++ % samples.length];
        if (sample === undefined) return;
        const answer = await this.send(sample);
        times.total.push(answer.ms);
        times.api.push(answer.apiMs);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, send));
    return times;
  }
}
