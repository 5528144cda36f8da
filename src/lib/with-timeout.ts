/**
 * Rejects when work takes longer than a time. The timer is cleared when the work ends: a timer that is left
 * running keeps a Durable Object in memory until it fires. The work itself is not cancelled, see
 * `withTimeoutSignal`.
 */
export async function withTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
  createError: () => Error = () => new Error(`no response within ${timeoutMs} ms`),
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createError()), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
