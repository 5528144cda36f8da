/** The shared key-value store (Redis): credentials and hot reads. A failing store throws `CacheUnavailable`, never something else. */
export interface Cache {
  /** The values of several keys in one round trip; null where a key is absent. */
  getMany(keys: readonly string[]): Promise<(string | null)[]>;
  set(key: string, value: string, ttlSeconds: number): Promise<void>;
  /** Sets a key that is absent, and leaves one that is there as it is. */
  fill(key: string, value: string, ttlSeconds: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Resolves when the store answers. */
  ping(): Promise<void>;
}

export class CacheUnavailable extends Error {
  override name = "CacheUnavailable";
}
