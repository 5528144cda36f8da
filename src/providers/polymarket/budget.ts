/**
 * The provider's request budgets, per route class, as its documentation has them (per 10 seconds and address). We keep to half: workers
 * share addresses with strangers.
 */
export const ROUTE_CLASSES = {
  trades: 150,
  activity: 200,
  data: 200,
  markets: 150,
  books: 250,
} as const;

export type RouteClass = keyof typeof ROUTE_CLASSES;

const WINDOW_MS = 10_000;

/** Token buckets, one a route class, refilled evenly. */
export class Budget {
  readonly #now: () => number;
  readonly #buckets = new Map<RouteClass, { tokens: number; at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes one request out of the class's bucket. @returns how long to wait before sending it, ms */
  reserve(routeClass: RouteClass): number {
    const capacity = ROUTE_CLASSES[routeClass];
    const now = this.#now();
    const bucket = this.#buckets.get(routeClass) ?? { tokens: capacity, at: now };
    const refilled = Math.min(capacity, bucket.tokens + ((now - bucket.at) * capacity) / WINDOW_MS);
    const tokens = refilled - 1;
    this.#buckets.set(routeClass, { tokens, at: now });
    return tokens >= 0 ? 0 : Math.ceil((-tokens * WINDOW_MS) / capacity);
  }
}
