import type { Ratelimit } from "@upstash/ratelimit";
import type { Cooldown } from "../domain/ip-cooldown.ts";
import { networkOf } from "../lib/network-of.ts";
import { RecentMap } from "../lib/recent-map.ts";
import { ExcessRecord } from "./excess-record.ts";
import type { IpBudget, IpVerdict } from "./ip-budget.ts";
import { IsolateWindow } from "./isolate-window.ts";
import type { RedisClient } from "./redis-client.ts";
import { RestAfterFailure } from "./rest-after-failure.ts";
import { openSlidingMinute } from "./sliding-minute.ts";

/** Requests a minute. */
const LIMITS = { shared: 1_200, health: 120 } as const;

type Budget = keyof typeof LIMITS;

/** Callers of this isolate whose cooldown is remembered, should Redis go away. */
const MAX_REMEMBERED = 10_000;

/**
 * The budget of an IP address, counted in Redis: a sliding minute of two counters, and a cooldown for sustained excess, which covers both
 * budgets. An admitted request costs one batch of two commands, which leaves together with whatever else is sent in the same tick.
 *
 * Without Redis each isolate counts for itself and keeps up the cooldowns it knows of, but begins none.
 */
export class RedisIpBudget implements IpBudget {
  readonly #limiters: Record<Budget, Ratelimit>;
  readonly #excess: ExcessRecord;
  readonly #now: () => number;
  readonly #rest: RestAfterFailure;
  readonly #windows: Record<Budget, IsolateWindow> = { shared: new IsolateWindow(), health: new IsolateWindow() };
  readonly #cooldowns = new RecentMap<Cooldown>(MAX_REMEMBERED);

  /** @param now must be the system's clock: the limiter reads that itself */
  constructor(redis: RedisClient, now: () => number) {
    this.#limiters = {
      shared: openSlidingMinute(redis, "ip:shared", LIMITS.shared),
      health: openSlidingMinute(redis, "ip:health", LIMITS.health),
    };
    this.#excess = new ExcessRecord(redis);
    this.#now = now;
    this.#rest = new RestAfterFailure(now);
  }

  async spend(ip: string, budget: Budget): Promise<IpVerdict> {
    const caller = networkOf(ip);
    const nowMs = this.#now();
    try {
      return await this.#rest.run(() => this.#spendShared(caller, budget, nowMs));
    } catch {
      const cooldown = this.#cooldowns.find(caller);
      if (cooldown !== null && nowMs < cooldown.untilMs) return throttled(budget, cooldown);
      return this.#windows[budget].spend(caller, LIMITS[budget], nowMs);
    }
  }

  async #spendShared(caller: string, budget: Budget, nowMs: number): Promise<IpVerdict> {
    // Both are sent before anything is awaited, or they would be two HTTP requests.
    const [window, last] = await Promise.all([this.#limiters[budget].limit(caller), this.#excess.findCooldown(caller)]);
    const running = last !== null && nowMs < last.untilMs;
    // A refusal stands, whether or not it could be noted.
    const begun = running || window.success ? null : await this.#excess.noteRefusal(caller, nowMs).catch(() => null);
    const cooldown = running ? last : begun;
    if (cooldown !== null) {
      this.#cooldowns.set(caller, cooldown);
      return throttled(budget, cooldown);
    }
    return {
      refusedBy: window.success ? null : "limited",
      // A moment into the next window, what the full one carries over has shrunk by at least one, whatever was before it.
      retryAtMs: window.success ? null : window.reset + 1,
      limit: LIMITS[budget],
      remaining: window.remaining,
      resetAtMs: window.reset,
    };
  }
}

function throttled(budget: Budget, { untilMs }: Cooldown): IpVerdict {
  return { refusedBy: "throttled", retryAtMs: untilMs, limit: LIMITS[budget], remaining: 0, resetAtMs: untilMs };
}
