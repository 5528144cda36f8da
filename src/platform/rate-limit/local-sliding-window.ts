import { LRUCache } from "lru-cache";
import type { IpVerdict } from "./ip-budget.ts";

export const WINDOW_MS = 60_000;
/**
 * The least recent caller beyond this is evicted. The limit of each caller bounds the memory of its entry.
 */
const MAX_CALLERS = 10_000;

/** An exact sliding window in the isolate's memory: no interval of 60 s admits more than the limit. */
export class LocalSlidingWindow {
  /** Admission times of the requests in the window, oldest first, Unix milliseconds. */
  readonly #admitted = new LRUCache<string, number[]>({ max: MAX_CALLERS });

  /** @param limit requests per minute, the same in every call for this caller */
  spend(caller: string, limit: number, nowMs: number): IpVerdict {
    const admitted = (this.#admitted.get(caller) ?? []).filter((atMs) => atMs > nowMs - WINDOW_MS);
    const oldest = admitted[0] ?? nowMs;
    const refused = admitted.length >= limit;
    if (!refused) admitted.push(nowMs);
    this.#admitted.set(caller, admitted);
    return {
      refusedBy: refused ? "limited" : null,
      retryAtMs: refused ? oldest + WINDOW_MS : null,
      limit,
      remaining: limit - admitted.length,
      resetAtMs: (admitted.at(-1) ?? nowMs) + WINDOW_MS,
    };
  }
}
