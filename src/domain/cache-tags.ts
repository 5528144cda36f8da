/**
 * Cache tags: each names data that is published as a whole and then announced, so that responses built from
 * it can be cached until the next publication. These are the rebuilt lists (`trending` and `flows` cover all
 * their windows), the stored reports, the public record, the suspicion flags, the daily prices, and large trades as they are
 * captured. `results` changes when markets end or when a result is added or removed, so that no cached
 * response outlives its prices and values.
 */
export const CACHE_TAGS = [
  "leaderboard",
  "trending",
  "explore",
  "large_positions",
  "flows",
  "reports",
  "record",
  "suspicious_trades",
  "candles",
  "large_trades",
  "results",
] as const;

export type CacheTag = (typeof CACHE_TAGS)[number];

/** The cache key of a tag's current version. The value only shows whether the version has changed. */
export const cacheVersionKey = (name: CacheTag): string => `generation:${name}`;
