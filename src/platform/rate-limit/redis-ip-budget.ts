import type { Ratelimit } from "@upstash/ratelimit";
import { LRUCache } from "lru-cache";
import { IP_COOLDOWN, isCooldownActive, type Cooldown } from "./ip-cooldown.ts";
import { networkOf } from "../../lib/network-of.ts";
import { RefusalCounter } from "./refusal-counter.ts";
import type { IpBudget, IpVerdict, PresentedKey } from "./ip-budget.ts";
import { LocalSlidingWindow } from "./local-sliding-window.ts";
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
 * sustained excess of this budget. An admitted request costs two commands, sent together with the other
 * commands of the same tick.
 *
 * Refusals count against the address, or against the key when the request presents a valid one. The cooldown
 * of an address admits valid keys, even when other callers have spent the window.
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

  /** @param now must be the system clock, because the limiter reads it as well */
  constructor(redis: RedisClient, now: () => number) {
    this.#limiters = {
      shared: openRedisSlidingWindow(redis, "ip:shared", IP_LIMITS.shared),
      health: openRedisSlidingWindow(redis, "ip:health", IP_LIMITS.health),
    };
    this.#refusals = new RefusalCounter(redis);
    this.#now = now;
    this.#breaker = new CircuitBreaker(now);
  }

  async spend(ip: string, budget: Budget, key: PresentedKey | null = null): Promise<IpVerdict> {
    const network = networkOf(ip);
    const address = `${budget}:${network}`;
    const keyCaller = key === null ? null : `${address}:${key.id}`;
    const nowMs = this.#now();
    const { window, addressCooldown, keyCooldown, isShared } = await this.#read(
      budget,
      network,
      address,
      keyCaller,
      nowMs,
    );
    if (isCooldownActive(keyCooldown, nowMs)) return throttled(window, keyCooldown);
    if (isCooldownActive(addressCooldown, nowMs)) {
      const mayLookUp = () => this.#lookupWindow.spend(network, LOOKUPS_PER_MINUTE, nowMs).refusedBy === null;
      return (await key?.isValid(mayLookUp)) === true ? admitted(window) : throttled(window, addressCooldown);
    }
    if (window.refusedBy === null || !isShared) return window;
    const cooldown =
      keyCaller !== null && (await key?.isKnownValid()) === true
        ? await this.#noteRefusal(keyCaller, nowMs, IP_COOLDOWN.refusedOfKeyInExcess)
        : await this.#noteRefusal(address, nowMs, IP_COOLDOWN.refusedInExcess);
    return cooldown === null ? window : throttled(window, cooldown);
  }

  async #read(
    budget: Budget,
    network: string,
    address: string,
    keyCaller: string | null,
    nowMs: number,
  ): Promise<BudgetLookup> {
    try {
      return await this.#breaker.run(() => this.#readShared(budget, network, address, keyCaller));
    } catch {
      const addressCooldown = this.#cooldowns.get(address) ?? null;
      const keyCooldown = keyCaller === null ? null : (this.#cooldowns.get(keyCaller) ?? null);
      // Requests refused by a cooldown are not counted.
      const isCooling = isCooldownActive(addressCooldown, nowMs) || isCooldownActive(keyCooldown, nowMs);
      const window = isCooling
        ? spent(IP_LIMITS[budget], nowMs)
        : this.#windows[budget].spend(network, IP_LIMITS[budget], nowMs);
      return { window, addressCooldown, keyCooldown, isShared: false };
    }
  }

  async #readShared(budget: Budget, network: string, address: string, keyCaller: string | null): Promise<BudgetLookup> {
    // Both commands are sent in the same tick; otherwise they would be two HTTP requests.
    const [window, [addressCooldown = null, keyCooldown = null]] = await Promise.all([
      this.#limiters[budget].limit(network),
      this.#refusals.findCooldowns(keyCaller === null ? [address] : [address, keyCaller]),
    ]);
    if (addressCooldown !== null) this.#cooldowns.set(address, addressCooldown);
    if (keyCooldown !== null && keyCaller !== null) this.#cooldowns.set(keyCaller, keyCooldown);
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

const admitted = (window: IpVerdict): IpVerdict => ({ ...window, refusedBy: null, retryAtMs: null });

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
