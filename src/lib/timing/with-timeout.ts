import { systemClock, type Clock } from "./clock.ts";

/**
 * Rejects when work takes longer than a time. The timer is cleared when the work ends: a timer that is left
 * running keeps a Durable Object in memory until it fires. The work itself is not cancelled, see
 * `withTimeoutSignal`. Its late rejection is handled.
 */
export async function withTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
  createError: () => Error = () => new Error(`no response within ${timeoutMs} ms`),
  clock: Pick<Clock, "wait"> = systemClock,
): Promise<T> {
  const end = new AbortController();
  const timeout = clock.wait(timeoutMs, end.signal).then(() => {
    // The wait of work that ended in time ends too. An error for it would cost a stack on each request.
    if (end.signal.aborted) return work;
    throw createError();
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    end.abort();
  }
}
