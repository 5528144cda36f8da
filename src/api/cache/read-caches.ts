import { foundMarkerKey } from "../../auth/credential-record.ts";
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
  /** What Redis has under each record key of the credential; null where it is absent, empty without Redis. */
  readonly credential: readonly (string | null)[];
  /** Whether the key was found in Postgres before. This marker outlives the record. */
  readonly wasFound: boolean;
  readonly response: SerializedResponse | null;
  /**
   * The current versions of the cache tags, as one text; null while Redis is unavailable. They are read
   * before the handler runs: a cached response may carry an older version than its data, never a newer one.
   */
  readonly tagVersions: string | null;
}

/**
 * Reads the credential, the versions of the cache tags and the response, in at most one round trip to Redis.
 * Credentials and versions are read every time, so that a revoked key and a replaced response stop at once.
 * While Redis is unavailable, only the time to live bounds the responses cached in this isolate.
 */
export async function readCaches(
  cache: Cache,
  answers: ResponseCache,
  keys: { readonly credential: readonly string[]; readonly answer: CacheSlot | null },
  now: number,
): Promise<CacheLookup> {
  const { credential, answer: slot } = keys;
  const localEntry = slot === null ? null : answers.find(slot.key, now);
  const versionKeys = (slot?.cacheTags ?? []).map(cacheVersionKey);
  const foundMarkers = credential.map(foundMarkerKey);
  const keysToRead = [
    ...credential,
    ...foundMarkers,
    ...versionKeys,
    localEntry === null && slot !== null ? slot.key : null,
  ].filter((key) => key !== null);
  const values = keysToRead.length === 0 ? [] : await cache.getMany(keysToRead).catch(() => null);
  const cachedValue = (key: string | null) => (key === null ? null : (values?.[keysToRead.indexOf(key)] ?? null));
  const tagVersions = values === null && versionKeys.length > 0 ? null : JSON.stringify(versionKeys.map(cachedValue));
  const none = {
    credential: values === null ? [] : credential.map(cachedValue),
    wasFound: foundMarkers.some((marker) => cachedValue(marker) !== null),
    response: null,
    tagVersions,
  };
  if (slot === null) return none;
  const entry = localEntry ?? unpackEntry(cachedValue(slot.key) ?? "", slot, now);
  if (entry === null || !matchesVersions(tagVersions, entry)) return none;
  if (localEntry === null) answers.set(slot.key, entry, slot);
  return { ...none, response: entry.response };
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
