import { Redis } from "@upstash/redis/cloudflare";
import { CacheUnavailable, type Cache } from "./cache.ts";

const TIMEOUT_MS = 1_000;
/** After a failure the store is left alone this long, so that requests do not each wait for it. */
const REST_MS = 1_000;

/** The cache over Upstash's REST protocol. */
export class RedisCache implements Cache {
  readonly #redis: Redis;
  readonly #now: () => number;
  #restsUntil = 0;

  constructor(url: string, token: string, now: () => number) {
    this.#now = now;
    this.#redis = new Redis({
      url,
      token,
      automaticDeserialization: false,
      responseEncoding: false,
      enableAutoPipelining: false,
      enableTelemetry: false,
      retry: false,
    });
  }

  getMany(keys: readonly string[]): Promise<(string | null)[]> {
    return this.#guard(() => this.#redis.mget<(string | null)[]>(...keys));
  }

  async set(key: string, value: string, ttlSeconds: number): Promise<void> {
    await this.#guard(() => this.#redis.set(key, value, { ex: ttlSeconds }));
  }

  async delete(key: string): Promise<void> {
    await this.#guard(() => this.#redis.del(key));
  }

  async ping(): Promise<void> {
    // A probe asks the store itself, whatever the last request met.
    this.#restsUntil = 0;
    await this.#guard(() => this.#redis.ping());
  }

  async #guard<T>(command: () => Promise<T>): Promise<T> {
    if (this.#now() < this.#restsUntil) throw new CacheUnavailable("the cache failed a moment ago");
    try {
      return await withTimeout(command());
    } catch (cause) {
      this.#restsUntil = this.#now() + REST_MS;
      throw new CacheUnavailable("the cache did not answer", { cause });
    }
  }
}

/** In place of an abort signal for each command, whose timer would outlive the answer. */
async function withTimeout<T>(command: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([command, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
