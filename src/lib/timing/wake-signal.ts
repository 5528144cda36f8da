/** An auto-reset event: `wait()` resolves on the next `set()`, or at once if one is pending. */
export class WakeSignal {
  #isSet = false;
  #waiters: (() => void)[] = [];

  set(): void {
    this.#isSet = true;
    this.resume();
  }

  /** Resolves the waits of this moment without setting the signal. */
  resume(): void {
    for (const resume of this.#waiters.splice(0)) resume();
  }

  /** Whether the signal is set. Clears it. */
  takeSet(): boolean {
    const wasSet = this.#isSet;
    this.#isSet = false;
    return wasSet;
  }

  /** Resolves on the next `set()`, or after `ms` milliseconds if given. Does not clear the signal. */
  async wait(ms?: number): Promise<void> {
    if (this.#isSet) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      if (ms !== undefined) timer = setTimeout(resolve, ms);
      this.#waiters.push(resolve);
    });
    clearTimeout(timer);
  }
}
