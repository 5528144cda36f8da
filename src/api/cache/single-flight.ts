import type { SerializedResponse } from "./serialized-response.ts";
import type { ResponseCache } from "./response-cache.ts";
import { matchesVersions, type CacheSlot } from "./read-caches.ts";

/** A waiting request polls the cache with a delay that doubles from the first to the maximum. */
const FIRST_POLL_MS = 5;
const MAX_POLL_MS = 40;
/** A request that has waited this long computes the response itself. */
const MAX_WAIT_MS = 3_000;

export interface SingleFlightInput {
  readonly responseCache: ResponseCache;
  readonly slot: CacheSlot;
  /** As in `CacheLookup`. */
  readonly tagVersions: string | null;
  /** When the request arrived, Unix milliseconds. */
  readonly now: number;
  readonly wait: (ms: number) => Promise<void>;
  /** Computes the response and stores it in the cache. */
  readonly compute: () => Promise<SerializedResponse>;
}

/**
 * Single-flight: concurrent requests of this isolate for one cache key share one computation. The first
 * request computes; the others poll the cache. They do not await the first request's promise, because in
 * workerd it never settles once that request's client has disconnected. When the first fails, each of the
 * others computes itself.
 *
 * @returns the response, and how long this request waited for another one; null when it computed the response
 *   itself
 */
export async function singleFlight(
  work: SingleFlightInput,
): Promise<{ readonly answer: SerializedResponse; readonly waitedMs: number | null }> {
  const { responseCache, slot, tagVersions, now, wait, compute } = work;
  // Another request may have finished since the cache lookup.
  const fresh = responseCache.findFresh(slot.key, now);
  if (fresh !== null && matchesVersions(tagVersions, fresh)) return { answer: fresh.response, waitedMs: 0 };
  // Keyed by version too: a request that has seen a newer version does not wait for a response of an older
  // one.
  const key = `${tagVersions} ${slot.key}`;
  let { entry, isMine } = responseCache.inFlight.join(key, now);
  let waitedMs = 0;
  for (let pollMs = FIRST_POLL_MS; !isMine && waitedMs < MAX_WAIT_MS; pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
    await wait(pollMs);
    waitedMs += pollMs;
    const cached = responseCache.find(slot.key, now + waitedMs);
    if (cached !== null && matchesVersions(tagVersions, cached)) return { answer: cached.response, waitedMs };
    if (entry.isDone) break;
    ({ entry, isMine } = responseCache.inFlight.join(key, now + waitedMs));
  }
  try {
    return { answer: await compute(), waitedMs: null };
  } finally {
    if (isMine) responseCache.inFlight.finish(entry);
  }
}
