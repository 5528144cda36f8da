import type { Ratelimit } from "@upstash/ratelimit";
import { LocalSlidingWindow } from "./local-sliding-window.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { REQUEST_LIMITS, type RequestBudget, type RequestLimiter } from "./request-limiter.ts";
import { CircuitBreaker } from "../http/circuit-breaker.ts";
import { openRedisSlidingWindow } from "./redis-sliding-window.ts";

/** The website's budgets, counted in Redis; without Redis each isolate counts separately. */
export class RedisRequestLimiter implements RequestLimiter {
  readonly #limiters: Record<RequestBudget, Ratelimit>;
  readonly #window = new LocalSlidingWindow();
  readonly #now: () => number;
  readonly #breaker: CircuitBreaker;

  /** @param now must be the system clock, because the limiter reads it as well */
  constructor(redis: RedisClient, now: () => number) {
    const open = (budget: RequestBudget) => openRedisSlidingWindow(redis, `web:${budget}`, REQUEST_LIMITS[budget]);
    this.#limiters = { sign_in: open("sign_in"), guess: open("guess"), keys: open("keys") };
    this.#now = now;
    this.#breaker = new CircuitBreaker(now);
  }

  async spend(budget: RequestBudget, subject: string): Promise<Date | null> {
    try {
      const { success, reset } = await this.#breaker.run(() => this.#limiters[budget].limit(subject));
      // 1 ms into the next window, the weight of the full window has decreased by at least one request.
      return success ? null : new Date(reset + 1);
    } catch {
      const { retryAtMs } = this.#window.spend(`${budget} ${subject}`, REQUEST_LIMITS[budget], this.#now());
      return retryAtMs === null ? null : new Date(retryAtMs);
    }
  }
}
