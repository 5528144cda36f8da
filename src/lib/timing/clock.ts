/** Time and timers. Code that waits takes the part it needs as an argument. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Resolves after `ms` milliseconds, or at once when the signal aborts. Never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `call` once after `ms` milliseconds. @returns a function that cancels the call */
  after(ms: number, call: () => void): () => void;
  /** Calls `call` every `ms` milliseconds. @returns a function that stops the calls */
  every(ms: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const timer = setTimeout(finish, ms);
      signal?.addEventListener("abort", finish, { once: true });
      function finish() {
        clearTimeout(timer);
        signal?.removeEventListener("abort", finish);
        resolve();
      }
    }),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
  every(ms, call) {
    const timer = setInterval(call, ms);
    return () => clearInterval(timer);
  },
};
