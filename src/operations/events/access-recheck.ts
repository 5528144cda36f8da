import { ApiError, ERRORS } from "../../api/errors.ts";
import type { StreamContext } from "../../api/operation.ts";
import type { Clock } from "../../lib/timing/clock.ts";
import { withTimeout } from "../../lib/timing/with-timeout.ts";

/** Interval between access checks, and the delay before the next one after a failed check. */
export const CHECK_INTERVAL_MS = 30_000;
const RETRY_MS = 10_000;
/** A check that takes longer counts as failed, so that a refusal ends the stream within 40 seconds. */
const CHECK_TIMEOUT_MS = 8_000;
/** How long a stream may continue without a successful check. */
const MAX_UNCONFIRMED_MS = 90_000;
/** The caller ticks every five seconds, a little early or late. */
const TICK_TOLERANCE_MS = 2_500;

/** Reason why a stream must end. */
export interface StreamEnd {
  readonly error: unknown;
  /** Whether a reconnect can succeed. */
  readonly retry: boolean;
}

/** Periodic check that the principal of a stream may still read it. */
export class AccessRecheck {
  readonly #context: Pick<StreamContext, "recheck" | "wait">;
  readonly #clock: Pick<Clock, "now">;
  #confirmedMs: number;
  #dueMs: number;
  #isChecking = false;

  /** @param random from 0, included, to 1, excluded */
  constructor(context: Pick<StreamContext, "recheck" | "wait">, clock: Pick<Clock, "now">, random: () => number) {
    this.#context = context;
    this.#clock = clock;
    this.#confirmedMs = clock.now();
    // Random first delay, so that streams that were opened together do not check together.
    this.#dueMs = this.#confirmedMs + CHECK_INTERVAL_MS * random();
  }

  /** Runs a check if one is due. @returns null while the stream may continue */
  async checkIfDue(): Promise<StreamEnd | null> {
    const nowMs = this.#clock.now();
    if (!this.#isChecking && nowMs >= this.#dueMs - TICK_TOLERANCE_MS) {
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
      await withTimeout(this.#context.recheck(), CHECK_TIMEOUT_MS, undefined, this.#context);
      this.#confirmedMs = nowMs;
      this.#dueMs = nowMs + CHECK_INTERVAL_MS;
      return null;
    } catch (error) {
      this.#dueMs = nowMs + RETRY_MS;
      return error instanceof ApiError && ERRORS[error.reason].status < 500 ? error : null;
    }
  }
}
