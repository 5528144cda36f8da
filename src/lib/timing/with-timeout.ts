import { systemClock, type Clock } from "./clock.ts";

/**
 * Rejects when work takes longer than a time. The timer is cleared when the work ends: a timer that is left
 * running keeps a Durable Object in memory until it fires. The work itself is not cancelled, see
 * `withTimeoutSignal`. Its late rejection is handled.
 */
export function withTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
  createError: () => Error = () => new Error(`no response within ${timeoutMs} ms`),
  after: Clock["after"] = systemClock.after,
): Promise<T> {
  // Each request passes here twice. An abort signal for the timer would cost more than the timer.
  return new Promise((resolve, reject) => {
    const cancel = after(timeoutMs, () => reject(createError()));
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}

/** `after` of a clock that waits. */
export const afterOf =
  ({ wait }: Pick<Clock, "wait">): Clock["after"] =>
  (ms, call) => {
    const end = new AbortController();
    void wait(ms, end.signal).then(() => {
      if (end.signal.aborted) return;
      end.abort();
      call();
    });
    return () => end.abort();
  };
