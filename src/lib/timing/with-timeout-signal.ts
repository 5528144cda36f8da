/**
 * Runs `work` with a signal that aborts after `timeoutMs`. The timer is cleared when the work ends: a timer
 * that is left running, as with `AbortSignal.timeout`, keeps a Durable Object in memory until it fires.
 */
export async function withTimeoutSignal<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new DOMException(`no response within ${timeoutMs} ms`, "TimeoutError")),
    timeoutMs,
  );
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
