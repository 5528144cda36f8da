import { LRUCache } from "lru-cache";

/**
 * Longer than any read should take. After that the computing request counts as gone: workerd cancels a
 * request without notice when its client disconnects.
 */
const MAX_RUN_MS = 1_000;
/** Bounds the entries of cancelled requests, which nothing removes. An evicted computation may run twice. */
const MAX_ENTRIES = 1_000;

/** One running computation of a response. */
export interface InFlightEntry {
  readonly key: string;
  readonly startedAtMs: number;
  /** Whether the computation has finished: the response is then in the cache, or it has failed. */
  isDone: boolean;
}

/** The responses that requests of this isolate are computing. */
export class InFlight {
  readonly #inFlight = new LRUCache<string, InFlightEntry>({ max: MAX_ENTRIES });

  /**
   * @returns the running computation of this key, which the caller can wait for; else a new one that the
   *   caller runs
   */
  join(key: string, now: number): { readonly entry: InFlightEntry; readonly isMine: boolean } {
    const existing = this.#inFlight.get(key);
    if (existing !== undefined && now < existing.startedAtMs + MAX_RUN_MS) return { entry: existing, isMine: false };
    const entry = { key, startedAtMs: now, isDone: false };
    this.#inFlight.set(key, entry);
    return { entry, isMine: true };
  }

  finish(entry: InFlightEntry): void {
    entry.isDone = true;
    if (this.#inFlight.get(entry.key) === entry) this.#inFlight.delete(entry.key);
  }
}
