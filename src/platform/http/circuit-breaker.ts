const COOLDOWN_MS = 1_000;

/**
 * A circuit breaker: one failure opens the circuit for a second, so that requests do not each wait for a
 * failing store.
 */
export class CircuitBreaker {
  readonly #now: () => number;
  #openUntilMs = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws what `call` throws; while the circuit is open, an error at once and without calling */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#now() < this.#openUntilMs) throw new Error("the circuit is open after a recent failure");
    try {
      return await call();
    } catch (cause) {
      this.#openUntilMs = this.#now() + COOLDOWN_MS;
      throw cause;
    }
  }

  /** Closes the circuit: the next call reaches the store. */
  reset(): void {
    this.#openUntilMs = 0;
  }
}
