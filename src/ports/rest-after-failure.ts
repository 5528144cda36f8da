const REST_MS = 1_000;

/** Leaves a store that failed alone for a second, so that requests do not each wait for it. */
export class RestAfterFailure {
  readonly #now: () => number;
  #until = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws what `ask` throws; while the store rests, at once and without asking */
  async run<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#now() < this.#until) throw new Error("the store failed a moment ago");
    try {
      return await ask();
    } catch (cause) {
      this.#until = this.#now() + REST_MS;
      throw cause;
    }
  }

  /** The next call asks the store, whatever the last one met. */
  end(): void {
    this.#until = 0;
  }
}
