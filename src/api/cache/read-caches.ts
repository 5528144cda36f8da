import { cacheVersionKey, type CacheTag } from "../../domain/cache-tags.ts";
import type { Cache } from "../../platform/redis/cache.ts";
import { packResponse, unpackResponse, type SerializedResponse } from "./serialized-response.ts";
import type { ResponseCache, CacheEntry, CachePolicy } from "./response-cache.ts";

/** The cache key of a response that all callers share, with its policy and its cache tags. */
export interface CacheSlot extends CachePolicy {
  readonly key: string;
  readonly cacheTags: readonly CacheTag[];
}

export interface CacheLookup {
  readonly response: SerializedResponse | null;
  /**
   * The current versions of the cache tags, as one text; null while Redis is unavailable. They are read
   * before the handler runs: a cached response may carry an older version than its data, never a newer one.
   */
  readonly tagVersions: string | null;
}

/**
 * Reads the versions of the cache tags and the response, in at most one round trip to Redis. Versions are read every
 * time, so that a replaced response stops at once. While Redis is unavailable, only the time to live bounds the
 * responses cached in this isolate.
 */
export async function readCaches(
  cache: Cache,
  answers: ResponseCache,
  slot: CacheSlot | null,
  now: number,
): Promise<CacheLookup> {
  if (slot === null) return { response: null, tagVersions: null };
  const localEntry = answers.find(slot.key, now);
  const versionKeys = slot.cacheTags.map(cacheVersionKey);
  const keysToRead = localEntry === null ? [...versionKeys, slot.key] : versionKeys;
  const values = keysToRead.length === 0 ? [] : await cache.getMany(keysToRead).catch(() => null);
  const cachedValue = (key: string) => values?.[keysToRead.indexOf(key)] ?? null;
  const tagVersions = values === null && versionKeys.length > 0 ? null : JSON.stringify(versionKeys.map(cachedValue));
  const entry = localEntry ?? unpackEntry(cachedValue(slot.key) ?? "", slot, now);
  if (entry === null || !matchesVersions(tagVersions, entry)) return { response: null, tagVersions };
  if (localEntry === null) answers.set(slot.key, entry, slot);
  return { response: entry.response, tagVersions };
}

/** Whether an entry has the current versions of its cache tags. Unknown versions match every entry. */
export const matchesVersions = (tagVersions: string | null, entry: CacheEntry): boolean =>
  tagVersions === null || entry.tagVersions === tagVersions;

// JSON has no raw line break, so the first line can hold the versions.
export const packCacheEntry = ({ response, tagVersions }: CacheEntry): string =>
  `${tagVersions}\n${packResponse(response)}`;

/**
 * @returns null for an unreadable or expired entry. The expiry is checked here too, because Redis counts the
 *   time to live from the write and not from the start of the computation
 */
function unpackEntry(packed: string, { ttlSeconds }: CachePolicy, now: number): CacheEntry | null {
  const end = packed.indexOf("\n");
  const answer = unpackResponse(packed.slice(end + 1));
  if (end === -1 || answer === null || now >= answer.storedAtMs + ttlSeconds * 1000) return null;
  return { response: answer, tagVersions: packed.slice(0, end) };
}
