/**
 * Runs `work` with a signal that aborts after so long. The timer ends with the work: one that is left over, as `AbortSignal.timeout` leaves one,
 * keeps a Durable Object awake until its time is over.
 */
export async function withSignal<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException(`no answer within ${timeoutMs} ms`, "TimeoutError")), timeoutMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
