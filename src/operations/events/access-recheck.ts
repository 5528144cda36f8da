import { ApiError, ERRORS } from "../../api/errors.ts";
import type { StreamContext } from "../../api/operation.ts";
import type { Clock } from "../../lib/timing/clock.ts";
import { afterOf, withTimeout } from "../../lib/timing/with-timeout.ts";
import {
  CHECK_INTERVAL_MS,
  CHECK_RETRY_MS,
  CHECK_TIMEOUT_MS,
  CHECK_TOLERANCE_MS,
  MAX_UNCONFIRMED_MS,
} from "../../stream/access-timing.ts";

/** Reason why a stream must end. */
export interface StreamEnd {
  readonly error: unknown;
  /** Whether a reconnect can succeed. */
  readonly retry: boolean;
}

/**
 * Periodic check that the principal of a stream may still read it. While a shard checks, it only judges whether the shard
 * has confirmed the access in time.
 */
export class AccessRecheck {
  readonly #context: Pick<StreamContext, "recheck" | "wait">;
  readonly #clock: Pick<Clock, "now">;
  #confirmedMs: number;
  #dueMs: number;
  #isChecking = false;
  #isShardChecking = false;

  /** @param random from 0, included, to 1, excluded */
  constructor(context: Pick<StreamContext, "recheck" | "wait">, clock: Pick<Clock, "now">, random: () => number) {
    this.#context = context;
    this.#clock = clock;
    this.#confirmedMs = clock.now();
    // Random first delay, so that streams that were opened together do not check together.
    this.#dueMs = this.#confirmedMs + CHECK_INTERVAL_MS * random();
  }

  /** When the last check that confirmed the access began, Unix milliseconds. */
  get confirmedMs(): number {
    return this.#confirmedMs;
  }

  /** Whether the shard of the link checks from now on. False without a link. */
  setShardChecking(isShardChecking: boolean): void {
    this.#isShardChecking = isShardChecking;
  }

  /** @param checkedMs when a check of the shard began, by the shard's clock */
  confirm(checkedMs: number): void {
    this.#confirmedMs = Math.max(this.#confirmedMs, Math.min(checkedMs, this.#clock.now()));
    this.#dueMs = this.#confirmedMs + CHECK_INTERVAL_MS;
  }

  /** Runs a check if one is due. @returns null while the stream may continue */
  async checkIfDue(): Promise<StreamEnd | null> {
    const nowMs = this.#clock.now();
    if (!this.#isShardChecking && !this.#isChecking && nowMs >= this.#dueMs - CHECK_TOLERANCE_MS) {
      this.#isChecking = true;
      const refusal = await this.#recheck(nowMs);
      this.#isChecking = false;
      if (refusal !== null) return { error: refusal, retry: false };
    }
    const isUnconfirmed = this.#clock.now() - this.#confirmedMs >= MAX_UNCONFIRMED_MS;
    return isUnconfirmed ? { error: new ApiError("database_unavailable"), retry: true } : null;
  }

  /** @returns the error that refuses a reconnect; null when access is confirmed or the check itself failed */
  async #recheck(nowMs: number): Promise<ApiError | null> {
    try {
      await withTimeout(this.#context.recheck(), CHECK_TIMEOUT_MS, undefined, afterOf(this.#context));
      this.confirm(nowMs);
      return null;
    } catch (error) {
      this.#dueMs = nowMs + CHECK_RETRY_MS;
      return error instanceof ApiError && ERRORS[error.reason].status < 500 ? error : null;
    }
  }
}
