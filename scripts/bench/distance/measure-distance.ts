import { setTimeout as sleep } from "node:timers/promises";
import { bundleFloor, type Bundle } from "../bundles.ts";
import type { BenchServices } from "../bench-services.ts";
import { median } from "../reads/measure-load.ts";
import { startReadWorkers } from "../reads/read-workers.ts";
import { METER_HEADER, withDistantMeter } from "./distant-meter.ts";
import { startDistantService, type DistantService } from "./distant-service.ts";

const METER_MS = 2;

/** Reads by kind. Each request of an uncached kind differs, so that no response is in a cache. */
const READS: Readonly<Record<string, (n: number) => { path: string; body?: object }>> = {
  public: () => ({ path: "/api/v1" }),
  cached: () => ({ path: "/api/v1/suspicious-trades" }),
  uncached: (n) => ({ path: `/api/v1/suspicious-trades?limit=20&min_suspicion=${60 + n / 1_000}` }),
  list: (n) => ({ path: `/api/v1/large-trades?min_size=${5_000 + n}` }),
  batch: () => ({ path: "/api/v1/traders/batch", body: { traders: [`0x${"1".repeat(40)}`] } }),
};

export type ReadKind = "public" | "cached" | "uncached" | "list" | "batch";

export const READ_KINDS = Object.keys(READS) as ReadKind[];

export interface DistantRead {
  readonly kind: ReadKind;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /**
   * Medians of the requests that arrived and were answered before the response came: it waited for them, or they ran
   * beside what it waited for.
   */
  readonly hops: { readonly redis: number; readonly meter: number; readonly postgres: number };
}

export interface DistanceFigures {
  /** The median of the bare route on the same workerd. */
  readonly bareMs: number;
  readonly reads: readonly DistantRead[];
}

/**
 * Reads, one after the other, from places with these round trips to Redis and Postgres.
 *
 * @param requests of each kind and place
 */
export async function measureDistance(
  product: Bundle,
  { variables, callers }: Pick<BenchServices, "variables" | "callers">,
  roundTripsMs: readonly number[],
  requests: number,
): Promise<DistanceFigures[]> {
  const redis = await startDistantService(variables["UPSTASH_REDIS_REST_URL"] ?? "");
  const postgres = await startDistantService(variables["NEON_HTTP_ENDPOINT"] ?? "");
  const workers = await startReadWorkers(withDistantMeter(product, METER_MS), await bundleFloor(), {
    ...variables,
    UPSTASH_REDIS_REST_URL: redis.url,
    NEON_HTTP_ENDPOINT: postgres.url,
  });
  try {
    const figures: DistanceFigures[] = [];
    for (const [place, ms] of roundTripsMs.entries()) {
      for (const service of [redis, postgres]) service.setRoundTrip(ms);
      // Its own caller: each may send 100 requests a minute.
      const bare = await timesOf(requests, () => send(`${workers.floor}/bare`, {}));
      const reads: DistantRead[] = [];
      for (const [index, kind] of READ_KINDS.entries()) {
        const caller = callers[place * READ_KINDS.length + index] ?? {};
        reads.push(await measureKind(kind, workers.product, caller, requests, { redis, postgres }));
      }
      figures.push({ bareMs: median(bare), reads });
    }
    return figures;
  } finally {
    await workers.stop();
    await redis.stop();
    await postgres.stop();
  }
}

let sent = 0;

async function measureKind(
  kind: ReadKind,
  url: string,
  caller: Record<string, string>,
  requests: number,
  services: Readonly<Record<"redis" | "postgres", DistantService>>,
): Promise<DistantRead> {
  const read = async () => {
    const { path, body } = READS[kind]?.(sent++) ?? { path: "" };
    return send(url + path, caller, body);
  };
  // The first request reads the credential, and fills the cache.
  for (let warm = 0; warm < 2; warm++) await read();
  const hops: DistantRead["hops"][] = [];
  const times = await timesOf(requests, async () => {
    // What the request before writes afterwards has arrived by then, and does not count.
    await sleep(50);
    const startedAt = performance.now();
    const response = await read();
    const endedAt = performance.now();
    const countOf = (service: DistantService) =>
      service.takeRequests().filter(({ arrivedAt, answeredAt }) => arrivedAt > startedAt && answeredAt < endedAt)
        .length;
    const meter = Number(response.headers.get(METER_HEADER));
    hops.push({ redis: countOf(services.redis), meter, postgres: countOf(services.postgres) });
    return endedAt - startedAt;
  });
  const sorted = times.toSorted((a, b) => a - b);
  const p99Ms = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN;
  const countOf = (name: keyof DistantRead["hops"]) => median(hops.map((counted) => counted[name]));
  return {
    kind,
    p50Ms: median(sorted),
    p99Ms,
    hops: { redis: countOf("redis"), meter: countOf("meter"), postgres: countOf("postgres") },
  };
}

async function timesOf(requests: number, time: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < requests; n++) {
    const startedAt = performance.now();
    const measured = await time();
    times.push(typeof measured === "number" ? measured : performance.now() - startedAt);
  }
  return times;
}

async function send(url: string, headers: Record<string, string>, body?: object): Promise<Response> {
  const response = await fetch(
    url,
    body === undefined
      ? { headers }
      : { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) },
  );
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} responded with ${response.status}: ${text.slice(0, 300)}`);
  return response;
}
