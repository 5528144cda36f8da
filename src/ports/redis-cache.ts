import { z } from "zod";
import { CacheUnavailable, type Cache } from "./cache.ts";
import type { RedisClient } from "./redis-client.ts";
import { RestAfterFailure } from "./rest-after-failure.ts";

const Values = z.array(z.string().nullable());

/** The cache over Redis. */
export class RedisCache implements Cache {
  readonly #redis: RedisClient;
  readonly #rest: RestAfterFailure;

  constructor(redis: RedisClient, now: () => number) {
    this.#redis = redis;
    this.#rest = new RestAfterFailure(now);
  }

  getMany(keys: readonly string[]): Promise<(string | null)[]> {
    return this.#guard(async () => Values.parse(await this.#redis.send((pipeline) => pipeline.mget(...keys))));
  }

  async set(key: string, value: string, ttlSeconds: number): Promise<void> {
    await this.#guard(() => this.#redis.send((pipeline) => pipeline.set(key, value, { ex: ttlSeconds })));
  }

  async fill(key: string, value: string, ttlSeconds: number): Promise<void> {
    await this.#guard(() => this.#redis.send((pipeline) => pipeline.set(key, value, { ex: ttlSeconds, nx: true })));
  }

  async delete(key: string): Promise<void> {
    await this.#guard(() => this.#redis.send((pipeline) => pipeline.del(key)));
  }

  async ping(): Promise<void> {
    // A probe asks the store itself, whatever the last request met.
    this.#rest.end();
    await this.#guard(() => this.#redis.send((pipeline) => pipeline.ping()));
  }

  async #guard<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await this.#rest.run(ask);
    } catch (cause) {
      throw new CacheUnavailable(cause instanceof Error ? cause.message : "the cache did not answer", { cause });
    }
  }
}
