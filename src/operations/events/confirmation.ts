import { ApiError, ERRORS } from "../../api/errors.ts";
import type { StreamContext } from "../../api/operation.ts";
import type { StreamClock } from "./stream-clock.ts";

/** How often the caller is confirmed, and how soon it is tried again when it could not be. */
const CONFIRM_MS = 30_000;
const AGAIN_MS = 10_000;
/** An answer that comes later counts as none, so that a refusal ends the stream within 40 seconds. */
const ANSWER_MS = 8_000;
/** How long a caller may listen whom nothing confirms. */
const UNCONFIRMED_MS = 90_000;
/** It is asked on ticks of five seconds, which come a little early or late. */
const TICK_TOLERANCE_MS = 2_500;

/** Why a stream has to end. */
export interface Ending {
  readonly error: unknown;
  /** Whether a reconnect may be let in. */
  readonly retry: boolean;
}

/** Whether a stream's caller may still listen, asked again and again. */
export class Confirmation {
  readonly #context: Pick<StreamContext, "recheck" | "wait">;
  readonly #clock: StreamClock;
  #confirmedMs: number;
  #dueMs: number;
  #isAsking = false;

  constructor(context: Pick<StreamContext, "recheck" | "wait">, clock: StreamClock) {
    this.#context = context;
    this.#clock = clock;
    this.#confirmedMs = clock.now();
    // Spread, so that streams which began together do not ask together.
    this.#dueMs = this.#confirmedMs + CONFIRM_MS * clock.random();
  }

  /** @returns null while the stream may go on */
  async ask(): Promise<Ending | null> {
    const nowMs = this.#clock.now();
    if (!this.#isAsking && nowMs >= this.#dueMs - TICK_TOLERANCE_MS) {
      this.#isAsking = true;
      const refusal = await this.#recheck(nowMs);
      this.#isAsking = false;
      if (refusal !== null) return { error: refusal, retry: false };
    }
    const isForgotten = this.#clock.now() - this.#confirmedMs >= UNCONFIRMED_MS;
    return isForgotten ? { error: new ApiError("database_unavailable"), retry: true } : null;
  }

  /** @returns what a reconnect would be refused with; null when it would not be, and when nobody can tell */
  async #recheck(nowMs: number): Promise<ApiError | null> {
    try {
      await this.#inTime(this.#context.recheck());
      this.#confirmedMs = nowMs;
      this.#dueMs = nowMs + CONFIRM_MS;
      return null;
    } catch (error) {
      this.#dueMs = nowMs + AGAIN_MS;
      return error instanceof ApiError && ERRORS[error.reason].status < 500 ? error : null;
    }
  }

  async #inTime(asked: Promise<void>): Promise<void> {
    const late = this.#context.wait(ANSWER_MS).then(() => {
      throw new Error(`no answer within ${ANSWER_MS} ms`);
    });
    await Promise.race([asked, late]);
  }
}
