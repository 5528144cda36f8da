/** The rate limit that a call counts against, in addition to the limit of its host. */
export type RouteClass = "gamma.events" | "gamma.markets" | "data.trades" | "data.other" | "clob.books";

type Host = "gamma" | "data" | "clob";

const WINDOW_MS = 10_000;

/**
 * Requests per 10 seconds. Gamma and CLOB: the provider's published limits. Data API v2 publishes none; these
 * are the measured limits from one IP address (20 a second for trades, 40 for other routes, 89 in total).
 */
const LIMITS: Readonly<Record<RouteClass | Host, number>> = {
  gamma: 4_000,
  "gamma.events": 500,
  "gamma.markets": 300,
  data: 890,
  "data.trades": 200,
  "data.other": 400,
  clob: 9_000,
  "clob.books": 500,
};

/**
 * A full bucket and its refill can both be spent in one window, so together they are the limit. The trade feeds are read one
 * page after the other, and ten thousand followed traders by their tiers: they need no long burst, but most of the limit for as
 * long as they catch up.
 */
const BUCKET_SHARE = 0.5;
const BUCKET_SHARES: Partial<Record<RouteClass | Host, number>> = { "data.trades": 0.2, "data.other": 0.2 };

interface Bucket {
  /** Negative while calls are waiting. */
  tokens: number;
  countedAt: number;
}

/**
 * Token buckets per route and host. Meant to be shared by all clients of an isolate: it holds only numbers,
 * no timers and no promises.
 */
export class ProviderRequestBudget {
  readonly #buckets = new Map<string, Bucket>();
  readonly #heldUntil = new Map<Host, number>();

  /**
   * Reserves one call, unless it would have to wait longer than `maxWaitMs`.
   *
   * @returns how long to wait before the call, in milliseconds; longer than `maxWaitMs` if nothing was
   *   reserved
   */
  reserve(route: RouteClass, now: number, maxWaitMs: number): number {
    const host = hostOf(route);
    const buckets = [route, host].map((name) => ({
      bucket: this.#refilled(name, now),
      perMs: refillOf(name) / WINDOW_MS,
    }));
    const tokenWaitMs = Math.max(...buckets.map(({ bucket, perMs }) => (1 - bucket.tokens) / perMs));
    const waitMs = Math.max(0, Math.ceil(tokenWaitMs), (this.#heldUntil.get(host) ?? 0) - now);
    if (waitMs <= maxWaitMs) for (const { bucket } of buckets) bucket.tokens -= 1;
    return waitMs;
  }

  /** Blocks every call to the route's host until this time, as the host requested. */
  hold(route: RouteClass, until: number): void {
    const host = hostOf(route);
    this.#heldUntil.set(host, Math.max(until, this.#heldUntil.get(host) ?? 0));
  }

  #refilled(name: RouteClass | Host, now: number): Bucket {
    const size = sizeOf(name);
    const bucket = this.#buckets.get(name) ?? { tokens: size, countedAt: now };
    bucket.tokens = Math.min(size, bucket.tokens + (Math.max(0, now - bucket.countedAt) * refillOf(name)) / WINDOW_MS);
    bucket.countedAt = now;
    this.#buckets.set(name, bucket);
    return bucket;
  }
}

const sizeOf = (name: RouteClass | Host) => LIMITS[name] * (BUCKET_SHARES[name] ?? BUCKET_SHARE);
const refillOf = (name: RouteClass | Host) => LIMITS[name] - sizeOf(name);

function hostOf(route: RouteClass): Host {
  switch (route) {
    case "gamma.events":
    case "gamma.markets":
      return "gamma";
    case "data.trades":
    case "data.other":
      return "data";
    case "clob.books":
      return "clob";
  }
}
