import type { z } from "zod";
import { LONGEST_ASKED_MS, ProviderUnavailable } from "../../../ports/provider.ts";
import { describeIssues } from "../payloads/fit-records.ts";
import { attempt, FailedAttempt, type AttemptSettings, type Call } from "./attempt.ts";
import type { RequestBudget, RouteClass } from "./request-budget.ts";

export interface HttpSettings extends Omit<AttemptSettings, "timeoutMs"> {
  /** 0 to 1, exclusive. */
  readonly random: () => number;
  readonly budget: RequestBudget;
}

export interface Read<Answer> {
  readonly route: RouteClass;
  /** Built anew for each attempt: where the edge caches, the next attempt must not get the same broken answer. */
  readonly call: () => Call;
  /** The envelope. An answer it does not fit is as good as none. */
  readonly schema: z.ZodType<Answer>;
  /** What is wrong with the answer beyond its form; null when nothing is. */
  readonly findFault?: (answer: Answer) => string | null;
}

const ATTEMPTS = 4;
const TIMEOUT_MS = 10_000;
/** A read that has not succeeded by then is given up, so that callers with deadlines of their own can go on. */
const TOTAL_MS = 25_000;
const FIRST_BACKOFF_MS = 400;

/** Reads from the provider's HTTP services, within their budgets and again where an answer fails. */
export class ProviderHttp {
  readonly #settings: HttpSettings;

  constructor(settings: HttpSettings) {
    this.#settings = settings;
  }

  /**
   * @throws ProviderUnavailable when no attempt succeeded
   * @throws ProviderRefused when the provider will never answer this request
   */
  async read<Answer>(read: Read<Answer>): Promise<Answer> {
    const endsAt = this.#settings.now() + TOTAL_MS;
    for (let made = 1; ; made++) {
      await this.#waitForTurn(read.route, endsAt);
      try {
        return await this.#readOnce(read, endsAt);
      } catch (error) {
        if (!(error instanceof FailedAttempt)) throw error;
        const askedMs = error.retryAfterMs === null ? null : Math.min(LONGEST_ASKED_MS, error.retryAfterMs);
        if (askedMs !== null) this.#settings.budget.hold(read.route, this.#settings.now() + askedMs);
        const waitMs = askedMs ?? this.#backOffMs(made);
        if (made === ATTEMPTS || this.#settings.now() + waitMs >= endsAt) {
          throw new ProviderUnavailable(`${read.route}: ${error.message}`, askedMs, { cause: error });
        }
        await this.#settings.sleep(waitMs);
      }
    }
  }

  async #readOnce<Answer>({ call, schema, findFault }: Read<Answer>, endsAt: number): Promise<Answer> {
    const timeoutMs = Math.max(1, Math.min(TIMEOUT_MS, endsAt - this.#settings.now()));
    const answer = schema.safeParse(await attempt(call(), { ...this.#settings, timeoutMs }));
    if (!answer.success) throw new FailedAttempt(`broken answer: ${describeIssues(answer.error)}`, null);
    const fault = findFault?.(answer.data) ?? null;
    if (fault !== null) throw new FailedAttempt(`broken answer: ${fault}`, null);
    return answer.data;
  }

  async #waitForTurn(route: RouteClass, endsAt: number): Promise<void> {
    const { budget, now, sleep } = this.#settings;
    const mostMs = endsAt - now();
    const waitMs = budget.reserve(route, now(), mostMs);
    if (waitMs > mostMs) throw new ProviderUnavailable(`${route}: the request budget is spent`, waitMs);
    if (waitMs > 0) await sleep(waitMs);
  }

  /** Doubles with each attempt; the jitter keeps clients that failed together from coming back together. */
  #backOffMs(made: number): number {
    return FIRST_BACKOFF_MS * 2 ** (made - 1) * (0.5 + this.#settings.random());
  }
}
