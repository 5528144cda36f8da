import type { Ratelimit } from "@upstash/ratelimit";
import { LRUCache } from "lru-cache";
import type { CircuitBreaker } from "../http/circuit-breaker.ts";
import type { IpVerdict, SpendingRequest } from "./ip-budget.ts";
import { LocalSlidingWindow } from "./local-sliding-window.ts";

/** Requests of an address that an isolate admits before it counts them in Redis. */
const SETTLE_EVERY = 20;
/** Uncounted requests of an address, with those on their way to Redis, from which a request waits to be counted. */
const MAX_OWED = 100;
/** How long an isolate refuses an address that was over before it asks again. */
const RECHECK_MS = 1_000;
/** Longer than a call to Redis takes. A settlement whose request was cancelled ends with it. */
const SETTLING_MS = 2_000;
const MAX_NETWORKS = 10_000;

/** What an isolate knows of the keys behind an address. */
interface Tab {
  /** Admitted requests that Redis has not counted. */
  owed: number;
  /** Their callers. */
  callers: Set<string>;
  checkedAtMs: number;
  /** Until then a settlement is on its way. */
  settlingUntilMs: number;
  /** When the next request can be admitted; null unless the last settlement found the window spent. */
  retryAtMs: number | null;
  remaining: number;
  resetAtMs: number;
  /** The last settlement failed. Then the isolate's own window is the only limit. */
  isAway: boolean;
}

const NEW_TAB = {
  owed: 0,
  checkedAtMs: 0,
  settlingUntilMs: 0,
  retryAtMs: null,
  remaining: Infinity,
  resetAtMs: 0,
  isAway: false,
};

interface Windows {
  /** Counts requests with keys. */
  readonly keys: Ratelimit;
  /** Counts all requests of the address. */
  readonly all: Ratelimit;
  readonly limit: number;
}

/**
 * The window of the keys behind an address. Its requests do not wait for Redis: each isolate keeps its view, refuses what
 * was over at the last settlement, and counts in the background, many requests in one call.
 *
 * A minute can so admit more than the limit: at most MAX_OWED requests an isolate, and one a second while the address is over.
 */
export class DeferredKeyWindow {
  readonly #windows: Windows;
  readonly #findCooldowns: (callers: readonly string[]) => Promise<unknown>;
  readonly #breaker: CircuitBreaker;
  readonly #now: () => number;
  readonly #tabs = new LRUCache<string, Tab>({ max: MAX_NETWORKS });
  readonly #local = new LocalSlidingWindow();

  /** @param findCooldowns reads the cooldowns of callers from Redis and remembers them */
  constructor(
    windows: Windows,
    findCooldowns: (callers: readonly string[]) => Promise<unknown>,
    breaker: CircuitBreaker,
    now: () => number,
  ) {
    this.#windows = windows;
    this.#findCooldowns = findCooldowns;
    this.#breaker = breaker;
    this.#now = now;
  }

  /** Never throws. Waits only where the isolate owes MAX_OWED requests of the address, unless Redis is away. */
  async spend(network: string, caller: string, waitUntil: SpendingRequest["waitUntil"]): Promise<IpVerdict> {
    const { limit } = this.#windows;
    const nowMs = this.#now();
    const tab = this.#tabs.get(network) ?? { ...NEW_TAB, callers: new Set<string>() };
    this.#tabs.set(network, tab);
    if (
      tab.retryAtMs !== null &&
      nowMs < Math.min(tab.retryAtMs, Math.max(tab.settlingUntilMs, tab.checkedAtMs + RECHECK_MS))
    )
      return refused(tab, tab.retryAtMs, limit);
    const local = this.#local.spend(network, limit, nowMs);
    if (local.refusedBy !== null) return local;
    tab.callers.add(caller);
    if (tab.owed >= MAX_OWED && !tab.isAway) {
      await this.#count(network, tab, 1);
      return tab.retryAtMs === null ? admitted(tab, local) : refused(tab, tab.retryAtMs, limit);
    }
    tab.owed += 1;
    if (nowMs >= tab.settlingUntilMs && this.#isDue(tab, nowMs)) {
      tab.settlingUntilMs = nowMs + SETTLING_MS;
      waitUntil(this.#settle(network, tab));
    }
    return admitted(tab, local);
  }

  #isDue(tab: Tab, nowMs: number): boolean {
    if (tab.isAway) return nowMs >= tab.checkedAtMs + RECHECK_MS;
    return tab.retryAtMs !== null || tab.owed >= SETTLE_EVERY;
  }

  /** Never throws. */
  async #settle(network: string, tab: Tab): Promise<void> {
    const count = tab.owed;
    await this.#count(network, tab, count);
    tab.owed = Math.max(0, tab.owed - count);
    tab.settlingUntilMs = 0;
  }

  /** Counts requests in Redis, and updates the view. Never throws. */
  async #count(network: string, tab: Tab, count: number): Promise<void> {
    const callers = [...tab.callers];
    tab.callers.clear();
    try {
      const [keys] = await this.#breaker.run(() =>
        // All in one tick, and so in one HTTP request.
        Promise.all([
          this.#windows.keys.limit(network, { rate: count }),
          this.#windows.all.limit(network, { rate: count }),
          this.#findCooldowns(callers),
        ]),
      );
      // 1 ms into the next window, the weight of the full window has decreased by at least one request.
      tab.retryAtMs = keys.success && keys.remaining > 0 ? null : keys.reset + 1;
      tab.remaining = keys.remaining;
      tab.resetAtMs = keys.reset;
      tab.isAway = false;
    } catch {
      // The isolate's own window has counted them.
      tab.owed = 0;
      tab.retryAtMs = null;
      tab.isAway = true;
    }
    tab.checkedAtMs = this.#now();
  }
}

const admitted = (tab: Tab, local: IpVerdict): IpVerdict => ({
  ...local,
  remaining: Math.max(0, Math.min(local.remaining, tab.remaining - tab.owed)),
  resetAtMs: Math.max(local.resetAtMs, tab.resetAtMs),
});

const refused = ({ resetAtMs }: Tab, retryAtMs: number, limit: number): IpVerdict => ({
  refusedBy: "limited",
  retryAtMs,
  limit,
  remaining: 0,
  resetAtMs,
});
