/** Waits; rejects with the signal's reason when it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (settle: () => void) => () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      settle();
    };
    const onAbort = end(() => reject(signal?.reason));
    const timer = setTimeout(end(resolve), ms);
    signal?.addEventListener("abort", onAbort);
  });
}
