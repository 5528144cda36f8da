import type { Clock } from "../../../src/lib/timing/clock.ts";

export const FAKE_START_MS = 1_790_000_000_000;

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

/**
 * A clock that advances only on request. A wait without a signal returns at once, and its length is recorded.
 */
export class FakeTime implements Clock {
  readonly slept: number[] = [];
  #timers: Timer[] = [];
  #now: number;

  constructor(startMs = FAKE_START_MS) {
    this.#now = startMs;
  }

  now = (): number => this.#now;

  wait = async (ms: number, signal?: AbortSignal): Promise<void> => {
    if (signal === undefined) {
      this.slept.push(ms);
      this.advance(ms);
      return;
    }
    await new Promise<void>((resolve) => {
      const cancel = this.after(ms, resolve);
      signal.addEventListener("abort", () => (cancel(), resolve()));
    });
  };

  after = (ms: number, call: () => void): (() => void) => {
    const timer = { at: this.#now + ms, call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  every = (ms: number, call: () => void): (() => void) => {
    const repeat = (): void => {
      cancel = this.after(ms, repeat);
      call();
    };
    let cancel = this.after(ms, repeat);
    return () => cancel();
  };

  /** Number of scheduled calls. */
  get pending(): number {
    return this.#timers.length;
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (let due = this.#next(end); due !== null; due = this.#next(end)) {
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = Math.max(this.#now, due.at);
      due.call();
    }
    this.#now = end;
  }

  #next(end: number): Timer | null {
    const due = this.#timers.filter((timer) => timer.at <= end);
    return due.length === 0 ? null : due.reduce((first, timer) => (timer.at < first.at ? timer : first));
  }
}
