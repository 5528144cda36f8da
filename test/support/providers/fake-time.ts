import type { Clock } from "../../../src/providers/polymarket/sockets/socket-port.ts";

export const FAKE_START_MS = 1_790_000_000_000;

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

/** Time that passes only when told to. A plain sleep passes at once, and its length is remembered. */
export class FakeTime implements Clock {
  readonly slept: number[] = [];
  #timers: Timer[] = [];
  #now = FAKE_START_MS;

  now = (): number => this.#now;

  sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
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

  /** How many calls are still to come. */
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
