import type { CacheTag } from "../../domain/cache-tags.ts";
import type { SharedResponses } from "../../platform/responses/shared-responses.ts";
import type { TagVersions } from "./tag-versions.ts";
import { packResponse, unpackResponse, type SerializedResponse } from "./serialized-response.ts";
import type { ResponseCache, CacheEntry, CachePolicy } from "./response-cache.ts";

/** The cache key of a response that all callers share, with its policy and its cache tags. */
export interface CacheSlot extends CachePolicy {
  readonly key: string;
  readonly cacheTags: readonly CacheTag[];
}

export interface CacheLookup {
  readonly response: SerializedResponse | null;
  /** As `TagVersions.read` returns them, from before the handler runs. */
  readonly tagVersions: string | null;
}

/** The caches of a response, nearest first. */
export interface Caches {
  readonly responseCache: ResponseCache;
  readonly sharedResponses: SharedResponses;
  readonly tagVersions: TagVersions;
}

/**
 * Finds a response in the isolate, else in the data centre. It waits for nothing when the isolate has the response and a
 * recent view of the cache tags. While Redis is unavailable, only the time to live bounds cached responses.
 */
export async function readCaches(
  { responseCache, sharedResponses, tagVersions: view }: Caches,
  slot: CacheSlot | null,
  now: number,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<CacheLookup> {
  if (slot === null) return { response: null, tagVersions: null };
  const localEntry = responseCache.find(slot.key, now);
  const [tagVersions, shared] = await Promise.all([
    view.read(slot.cacheTags, now, waitUntil),
    localEntry === null ? sharedResponses.get(slot.key) : null,
  ]);
  const entry = localEntry ?? unpackEntry(shared ?? "", slot, now);
  if (entry === null || !matchesVersions(tagVersions, entry)) return { response: null, tagVersions };
  if (localEntry === null) responseCache.set(slot.key, entry, slot);
  return { response: entry.response, tagVersions };
}

/** Whether an entry has the current versions of its cache tags. Unknown versions match every entry. */
export const matchesVersions = (tagVersions: string | null, entry: CacheEntry): boolean =>
  tagVersions === null || entry.tagVersions === tagVersions;

// JSON has no raw line break, so the first line can hold the versions.
export const packCacheEntry = ({ response, tagVersions }: CacheEntry): string =>
  `${tagVersions}\n${packResponse(response)}`;

/**
 * @returns null for an unreadable or expired entry. The expiry is checked here too, because the Cache API counts
 *   the time to live from the write and not from the start of the computation
 */
function unpackEntry(packed: string, { ttlSeconds }: CachePolicy, now: number): CacheEntry | null {
  const end = packed.indexOf("\n");
  const answer = unpackResponse(packed.slice(end + 1));
  if (end === -1 || answer === null || now >= answer.storedAtMs + ttlSeconds * 1000) return null;
  return { response: answer, tagVersions: packed.slice(0, end) };
}
