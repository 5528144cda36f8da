import { ProviderRefused, ProviderUnavailable } from "../../ports/provider.ts";
import { Budget, type RouteClass } from "./budget.ts";

/** The outside world of a client, handed in so that tests can be it. */
export interface ClientPorts {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** 0 up to 1. */
  readonly random: () => number;
}

const ATTEMPTS = 4;
const ATTEMPT_MS = 10_000;
/** A call that would wait longer than this gives up instead; the job behind it comes back later. */
const LONGEST_WAIT_MS = 5_000;
const FIRST_BACKOFF_MS = 250;

/** Reads JSON from the provider: within its budgets, with retries, and telling a passing failure from a refusal. */
export class ProviderHttp {
  readonly #ports: ClientPorts;
  readonly #budget: Budget;

  constructor(ports: ClientPorts) {
    this.#ports = ports;
    this.#budget = new Budget(ports.now);
  }

  /**
   * @throws ProviderRefused on 400, 404 and 422; ProviderUnavailable when the answer stays away, broken or throttled
   */
  async readJson(routeClass: RouteClass, url: string, body?: unknown): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      const failure = await this.#attempt(routeClass, url, body);
      if ("json" in failure) return failure.json;
      const waitMs = failure.retryAfterMs ?? this.#backoff(attempt);
      if (attempt === ATTEMPTS || waitMs > LONGEST_WAIT_MS) {
        throw new ProviderUnavailable(`${routeClass}: ${failure.message}`, failure.retryAfterMs, { cause: failure.cause });
      }
      await this.#ports.sleep(waitMs);
    }
  }

  async #attempt(
    routeClass: RouteClass,
    url: string,
    body: unknown,
  ): Promise<{ json: unknown } | { message: string; retryAfterMs: number | null; cause?: unknown }> {
    const waitMs = this.#budget.reserve(routeClass);
    if (waitMs > 0) await this.#ports.sleep(waitMs);
    let response: Response;
    try {
      response = await this.#ports.fetch(url, {
        signal: AbortSignal.timeout(ATTEMPT_MS),
        headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      });
      if (response.ok) return { json: await response.json() };
    } catch (cause) {
      return { message: "no readable answer", retryAfterMs: null, cause };
    }
    await response.body?.cancel();
    if (response.status === 400 || response.status === 404 || response.status === 422) {
      throw new ProviderRefused(`${routeClass}: status ${response.status}`);
    }
    return { message: `status ${response.status}`, retryAfterMs: this.#retryAfterMs(response) };
  }

  #retryAfterMs(response: Response): number | null {
    const header = response.headers.get("retry-after");
    if (header === null) return null;
    if (/^\d{1,6}$/.test(header)) return Number(header) * 1000;
    const at = Date.parse(header);
    return Number.isNaN(at) ? null : Math.max(0, at - this.#ports.now());
  }

  /** Doubling, with half of it random, so that clients that failed together do not come back together. */
  #backoff(attempt: number): number {
    const whole = FIRST_BACKOFF_MS * 2 ** (attempt - 1);
    return whole / 2 + (this.#ports.random() * whole) / 2;
  }
}
