import type { Ratelimit } from "@upstash/ratelimit";
import { LRUCache } from "lru-cache";
import { DeferredKeyWindow } from "./deferred-key-window.ts";
import { IP_COOLDOWN, isCooldownActive, type Cooldown } from "./ip-cooldown.ts";
import { networkOf } from "../../lib/network-of.ts";
import { RefusalCounter } from "./refusal-counter.ts";
import type { IpBudget, IpVerdict, SpendingRequest } from "./ip-budget.ts";
import { LocalSlidingWindow } from "./local-sliding-window.ts";
import { RecentWindows } from "./recent-windows.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { CircuitBreaker } from "../http/circuit-breaker.ts";
import { openRedisSlidingWindow } from "./redis-sliding-window.ts";

/** Requests a minute. */
export const IP_LIMITS = { shared: 1_200, health: 120 } as const;

type Budget = keyof typeof IP_LIMITS;

/** Maximum number of cooldowns that this isolate remembers for the case that Redis becomes unavailable. */
const MAX_REMEMBERED = 10_000;
/**
 * Database lookups per minute and isolate for keys never found before, from one address in cooldown. It
 * bounds the load that guessed keys put on the database.
 */
const LOOKUPS_PER_MINUTE = 30;

/** The names under which refusals and cooldowns are stored. */
interface Callers {
  readonly address: string;
  /** Null without a key. */
  readonly key: string | null;
}

/** The state of a request's callers, from Redis or from this isolate. */
interface BudgetLookup {
  readonly window: IpVerdict;
  readonly addressCooldown: Cooldown | null;
  readonly keyCooldown: Cooldown | null;
  /** False without Redis: refusals are then not counted. */
  readonly isShared: boolean;
}

/**
 * The budget of an IP address, counted in Redis: a sliding window of two counters, and a cooldown for
 * sustained excess of this budget. The commands of an admitted request are sent together with the others of the same tick.
 *
 * A key that this isolate knows does not wait: see DeferredKeyWindow. Nor does a request without a key whose address was far
 * from its limit a moment ago: see RecentWindows. Requests with valid keys spend the window of all
 * requests and one of their own, which alone refuses them: others, who spent the window of all, or who are in a cooldown,
 * lock out no valid key.
 *
 * Refusals count against the address, or against the key when the request presents a valid one.
 *
 * Without Redis each isolate counts separately. It enforces the cooldowns it knows of and starts no new ones.
 */
export class RedisIpBudget implements IpBudget {
  readonly #limiters: Record<Budget, Ratelimit>;
  readonly #refusals: RefusalCounter;
  readonly #now: () => number;
  readonly #breaker: CircuitBreaker;
  readonly #windows: Record<Budget, LocalSlidingWindow> = {
    shared: new LocalSlidingWindow(),
    health: new LocalSlidingWindow(),
  };
  readonly #cooldowns = new LRUCache<string, Cooldown>({ max: MAX_REMEMBERED });
  readonly #lookupWindow = new LocalSlidingWindow();
  readonly #keys: DeferredKeyWindow;
  readonly #recent: RecentWindows;

  /** @param now must be the system clock, because the limiter reads it as well */
  constructor(redis: RedisClient, now: () => number) {
    this.#limiters = {
      shared: openRedisSlidingWindow(redis, "ip:shared", IP_LIMITS.shared),
      health: openRedisSlidingWindow(redis, "ip:health", IP_LIMITS.health),
    };
    this.#refusals = new RefusalCounter(redis);
    this.#now = now;
    this.#breaker = new CircuitBreaker(now);
    this.#recent = new RecentWindows(now);
    this.#keys = new DeferredKeyWindow(
      {
        keys: openRedisSlidingWindow(redis, "ip:keys", IP_LIMITS.shared),
        all: this.#limiters.shared,
        limit: IP_LIMITS.shared,
      },
      (callers) => this.#findCooldowns(callers),
      this.#breaker,
      now,
    );
  }

  async spend(ip: string, budget: Budget, { key, waitUntil }: SpendingRequest): Promise<IpVerdict> {
    const network = networkOf(ip);
    const address = `${budget}:${network}`;
    const keyCaller = key === null ? null : `${address}:${key.id}`;
    if (key !== null && keyCaller !== null && key.isKnown()) return this.#spendKey(network, keyCaller, waitUntil);
    if (key === null) {
      const recent = this.#recent.admit(address, (requests) => this.#count(budget, network, requests), waitUntil);
      if (recent !== null) return recent;
    }
    const nowMs = this.#now();
    const requests = 1 + this.#recent.takeOwed(address);
    const lookup = await this.#read(budget, network, { address, key: keyCaller }, requests);
    const { window, addressCooldown, keyCooldown, isShared } = lookup;
    if (isCooldownActive(keyCooldown, nowMs)) return throttled(window, keyCooldown);
    const cooling = isCooldownActive(addressCooldown, nowMs) ? addressCooldown : null;
    if (cooling === null && window.refusedBy === null) {
      if (isShared) this.#recent.remember(address, window);
      return window;
    }
    const mayLookUp = () => this.#lookupWindow.spend(network, LOOKUPS_PER_MINUTE, nowMs).refusedBy === null;
    if (key !== null && keyCaller !== null && (await key.isValid(mayLookUp)))
      return this.#spendKey(network, keyCaller, waitUntil);
    if (cooling !== null) return throttled(window, cooling);
    if (!isShared) return window;
    const cooldown = await this.#noteRefusal(address, nowMs, IP_COOLDOWN.refusedInExcess);
    return cooldown === null ? window : throttled(window, cooldown);
  }

  /** Counts admitted requests of an address. @returns a refusal during a cooldown; null without Redis */
  async #count(budget: Budget, network: string, requests: number): Promise<IpVerdict | null> {
    const callers = { address: `${budget}:${network}`, key: null };
    const { window, addressCooldown, isShared } = await this.#read(budget, network, callers, requests);
    if (!isShared) return null;
    return isCooldownActive(addressCooldown, this.#now()) ? throttled(window, addressCooldown) : window;
  }

  /** Spends the budget for a valid key. Its refusals count against itself. */
  async #spendKey(network: string, caller: string, waitUntil: SpendingRequest["waitUntil"]): Promise<IpVerdict> {
    const nowMs = this.#now();
    const cooldown = this.#cooldowns.get(caller) ?? null;
    if (isCooldownActive(cooldown, nowMs)) return throttled(spent(IP_LIMITS.shared, nowMs), cooldown);
    const window = await this.#keys.spend(network, caller, waitUntil);
    if (window.refusedBy !== null) waitUntil(this.#noteRefusal(caller, nowMs, IP_COOLDOWN.refusedOfKeyInExcess));
    return window;
  }

  async #findCooldowns(callers: readonly string[]): Promise<(Cooldown | null)[]> {
    const cooldowns = await this.#refusals.findCooldowns(callers);
    callers.forEach((caller, index) => {
      const cooldown = cooldowns[index] ?? null;
      if (cooldown !== null) this.#cooldowns.set(caller, cooldown);
    });
    return cooldowns;
  }

  /** Counts requests. Never throws: without Redis in the isolate's own window. */
  async #read(budget: Budget, network: string, callers: Callers, requests: number): Promise<BudgetLookup> {
    try {
      return await this.#breaker.run(() => this.#readShared(budget, network, callers, requests));
    } catch {
      const nowMs = this.#now();
      const addressCooldown = this.#cooldowns.get(callers.address) ?? null;
      const keyCooldown = callers.key === null ? null : (this.#cooldowns.get(callers.key) ?? null);
      // Requests refused by a cooldown are not counted.
      const isCooling = isCooldownActive(addressCooldown, nowMs) || isCooldownActive(keyCooldown, nowMs);
      let window = spent(IP_LIMITS[budget], nowMs);
      const counted = isCooling ? 0 : requests;
      for (let request = 0; request < counted; request++)
        window = this.#windows[budget].spend(network, IP_LIMITS[budget], nowMs);
      return { window, addressCooldown, keyCooldown, isShared: false };
    }
  }

  async #readShared(
    budget: Budget,
    network: string,
    { address, key }: Callers,
    requests: number,
  ): Promise<BudgetLookup> {
    // Both commands are sent in the same tick; otherwise they would be two HTTP requests.
    const [window, [addressCooldown = null, keyCooldown = null]] = await Promise.all([
      this.#limiters[budget].limit(network, { rate: requests }),
      this.#findCooldowns(key === null ? [address] : [address, key]),
    ]);
    return {
      window: {
        refusedBy: window.success ? null : "limited",
        // 1 ms into the next window, the weight of the full window has decreased by at least one request.
        retryAtMs: window.success ? null : window.reset + 1,
        limit: IP_LIMITS[budget],
        remaining: window.remaining,
        resetAtMs: window.reset,
      },
      addressCooldown,
      keyCooldown,
      isShared: true,
    };
  }

  /**
   * Counts a refusal. A failure to count does not change the refusal.
   *
   * @returns the cooldown in force; null without one
   */
  async #noteRefusal(caller: string, nowMs: number, refusedInExcess: number): Promise<Cooldown | null> {
    const cooldown = await this.#refusals.countRefusal(caller, nowMs, refusedInExcess).catch(() => null);
    if (cooldown !== null) this.#cooldowns.set(caller, cooldown);
    return cooldown;
  }
}

const spent = (limit: number, nowMs: number): IpVerdict => ({
  refusedBy: "limited",
  retryAtMs: nowMs,
  limit,
  remaining: 0,
  resetAtMs: nowMs,
});

function throttled({ limit }: IpVerdict, { untilMs }: Cooldown): IpVerdict {
  return { refusedBy: "throttled", retryAtMs: untilMs, limit, remaining: 0, resetAtMs: untilMs };
}
