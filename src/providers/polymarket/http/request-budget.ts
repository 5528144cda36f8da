/** What a call counts against: its own class and, with all other calls of the host, the host's. */
export type RouteClass = "gamma.events" | "gamma.markets" | "data.trades" | "data.other" | "clob.books";

type Host = "gamma" | "data" | "clob";

const WINDOW_MS = 10_000;

/**
 * Requests per 10 seconds. Gamma and CLOB: the provider's published limits. Data API v2 publishes none: what was measured to pass from one
 * address (20 a second for trades, 40 for other routes, 89 in all).
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

/** A full bucket and its refill can both be spent in one window, so half the limit each keeps any window within it. */
const SHARE = 0.5;

interface Bucket {
  /** Negative when calls are waiting for their turn. */
  tokens: number;
  countedAt: number;
}

/**
 * Token buckets under one clock. Meant to be shared by all clients of an isolate: it holds numbers only, no timers and no promises.
 */
export class RequestBudget {
  readonly #buckets = new Map<string, Bucket>();
  readonly #heldUntil = new Map<Host, number>();

  /**
   * Takes a place for one call, unless its turn comes later than in `mostMs`.
   *
   * @returns how long to wait before making the call, in milliseconds
   */
  reserve(route: RouteClass, now: number, mostMs: number): number {
    const host = hostOf(route);
    const buckets = [route, host].map((name) => ({ bucket: this.#refilled(name, now), perMs: sizeOf(name) / WINDOW_MS }));
    const turnMs = Math.max(...buckets.map(({ bucket, perMs }) => (1 - bucket.tokens) / perMs));
    const waitMs = Math.max(0, Math.ceil(turnMs), (this.#heldUntil.get(host) ?? 0) - now);
    if (waitMs <= mostMs) for (const { bucket } of buckets) bucket.tokens -= 1;
    return waitMs;
  }

  /** Keeps every call away from the route's host for a while, as the host has asked. */
  hold(route: RouteClass, until: number): void {
    const host = hostOf(route);
    this.#heldUntil.set(host, Math.max(until, this.#heldUntil.get(host) ?? 0));
  }

  #refilled(name: RouteClass | Host, now: number): Bucket {
    const size = sizeOf(name);
    const bucket = this.#buckets.get(name) ?? { tokens: size, countedAt: now };
    bucket.tokens = Math.min(size, bucket.tokens + (Math.max(0, now - bucket.countedAt) * size) / WINDOW_MS);
    bucket.countedAt = now;
    this.#buckets.set(name, bucket);
    return bucket;
  }
}

const sizeOf = (name: RouteClass | Host) => LIMITS[name] * SHARE;

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
