import type { Ratelimit } from "@upstash/ratelimit";
import { IsolateWindow } from "./isolate-window.ts";
import type { RedisClient } from "./redis-client.ts";
import { REQUEST_LIMITS, type RequestBudget, type RequestLimiter } from "./request-limiter.ts";
import { RestAfterFailure } from "./rest-after-failure.ts";
import { openSlidingMinute } from "./sliding-minute.ts";

/** The website's budgets, counted in Redis, and without it by each isolate for itself. */
export class RedisRequestLimiter implements RequestLimiter {
  readonly #minutes: Record<RequestBudget, Ratelimit>;
  readonly #window = new IsolateWindow();
  readonly #now: () => number;
  readonly #rest: RestAfterFailure;

  /** @param now must be the system's clock: the limiter reads that itself */
  constructor(redis: RedisClient, now: () => number) {
    const open = (budget: RequestBudget) => openSlidingMinute(redis, `web:${budget}`, REQUEST_LIMITS[budget]);
    this.#minutes = { sign_in: open("sign_in"), guess: open("guess"), keys: open("keys") };
    this.#now = now;
    this.#rest = new RestAfterFailure(now);
  }

  async spend(budget: RequestBudget, subject: string): Promise<Date | null> {
    try {
      const { success, reset } = await this.#rest.run(() => this.#minutes[budget].limit(subject));
      // A moment into the next window, what the full one carries over has shrunk by at least one.
      return success ? null : new Date(reset + 1);
    } catch {
      const { retryAtMs } = this.#window.spend(`${budget} ${subject}`, REQUEST_LIMITS[budget], this.#now());
      return retryAtMs === null ? null : new Date(retryAtMs);
    }
  }
}
