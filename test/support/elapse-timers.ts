import { onTestFinished, vi } from "vitest";

/** Timers of one duration that elapse at once. */
export interface ElapsedTimers {
  /** The number of such timers up to now. */
  started(): number;
  /** From now on timers are real. Also happens when the test finishes. */
  stop(): void;
}

/**
 * Lets timers of exactly this duration elapse at once; all others are real. A test of a timeout then waits
 * for nothing, and fails when the timeout has another duration.
 */
export function elapseTimersOf(ms: number): ElapsedTimers {
  let started = 0;
  const durationOf = (delay: number | undefined): number => {
    if (delay !== ms) return delay ?? 0;
    started++;
    return 0;
  };
  const setReal = globalThis.setTimeout;
  const set = (callback: () => void, delay?: number) => setReal(callback, durationOf(delay));
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(set as typeof setTimeout);
  const stop = () => spy.mockRestore();
  onTestFinished(stop);
  return { started: () => started, stop };
}
