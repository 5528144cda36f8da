/**
 * The shared key-value store (Redis) for responses. Every failure is a `CacheUnavailable`.
 */
export interface Cache {
  /** Reads several keys in one round trip; null where a key is absent. */
  getMany(keys: readonly string[]): Promise<(string | null)[]>;
  set(key: string, value: string, ttlSeconds: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Resolves when the store responds. */
  ping(): Promise<void>;
}

export class CacheUnavailable extends Error {
  override name = "CacheUnavailable";
}
