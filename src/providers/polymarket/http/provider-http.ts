import type { z } from "zod";
import { MAX_RETRY_AFTER_MS, ProviderUnavailable } from "../../../platform/provider.ts";
import { describeIssues } from "../payloads/parse-provider-records.ts";
import { attemptCall, FailedAttempt, type AttemptSettings, type HttpCall } from "./attempt-call.ts";
import type { ProviderRequestBudget, RouteClass } from "./provider-request-budget.ts";
import { backoff } from "../../../lib/timing/backoff.ts";

export interface HttpSettings extends Omit<AttemptSettings, "timeoutMs"> {
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number;
  readonly budget: ProviderRequestBudget;
}

export interface ReadRequest<Payload> {
  readonly route: RouteClass;
  /**
   * Called for each attempt: where the edge caches, the next attempt must not get the same broken response.
   */
  readonly call: () => HttpCall;
  /** Schema of the envelope. A response that does not match counts as a failed attempt. */
  readonly schema: z.ZodType<Payload>;
  /** Returns what is wrong with a response that matches the schema; null when nothing is. */
  readonly findFault?: (response: Payload) => string | null;
}

const ATTEMPTS = 4;
const TIMEOUT_MS = 10_000;
/**
 * A read that has not succeeded after this time fails, so that callers with their own deadline can continue.
 */
const TOTAL_MS = 25_000;
const FIRST_BACKOFF_MS = 400;

/** Reads from the provider's HTTP services within their request budgets and retries failed attempts. */
export class ProviderHttp {
  readonly #settings: HttpSettings;

  constructor(settings: HttpSettings) {
    this.#settings = settings;
  }

  /**
   * @throws ProviderUnavailable when no attempt succeeded
   * @throws ProviderRefused when the provider will never answer this request
   */
  async read<Payload>(read: ReadRequest<Payload>): Promise<Payload> {
    const endsAt = this.#settings.clock.now() + TOTAL_MS;
    for (let attempts = 1; ; attempts++) {
      await this.#waitForBudget(read.route, endsAt);
      try {
        return await this.#readOnce(read, endsAt);
      } catch (error) {
        if (!(error instanceof FailedAttempt)) throw error;
        const retryAfterMs = error.retryAfterMs === null ? null : Math.min(MAX_RETRY_AFTER_MS, error.retryAfterMs);
        if (retryAfterMs !== null) this.#settings.budget.hold(read.route, this.#settings.clock.now() + retryAfterMs);
        const waitMs = retryAfterMs ?? this.#backOffMs(attempts);
        if (attempts === ATTEMPTS || this.#settings.clock.now() + waitMs >= endsAt) {
          throw new ProviderUnavailable(`${read.route}: ${error.message}`, retryAfterMs, { cause: error });
        }
        await this.#settings.clock.wait(waitMs);
      }
    }
  }

  async #readOnce<Payload>({ call, schema, findFault }: ReadRequest<Payload>, endsAt: number): Promise<Payload> {
    const timeoutMs = Math.max(1, Math.min(TIMEOUT_MS, endsAt - this.#settings.clock.now()));
    const response = schema.safeParse(await attemptCall(call(), { ...this.#settings, timeoutMs }));
    if (!response.success) throw new FailedAttempt(`invalid response: ${describeIssues(response.error)}`, null);
    const fault = findFault?.(response.data) ?? null;
    if (fault !== null) throw new FailedAttempt(`invalid response: ${fault}`, null);
    return response.data;
  }

  async #waitForBudget(route: RouteClass, endsAt: number): Promise<void> {
    const { budget, clock } = this.#settings;
    const maxWaitMs = endsAt - clock.now();
    const waitMs = budget.reserve(route, clock.now(), maxWaitMs);
    if (waitMs > maxWaitMs) throw new ProviderUnavailable(`${route}: the request budget is spent`, waitMs);
    if (waitMs > 0) await clock.wait(waitMs);
  }

  /** Doubles with each attempt. The jitter prevents clients that failed together from retrying together. */
  #backOffMs(attempts: number): number {
    return backoff(attempts, FIRST_BACKOFF_MS) * (0.5 + this.#settings.random());
  }
}
