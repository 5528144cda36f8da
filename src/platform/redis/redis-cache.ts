import { z } from "zod";
import { CacheUnavailable, type Cache } from "./cache.ts";
import type { RedisClient } from "./redis-client.ts";
import { CircuitBreaker } from "../http/circuit-breaker.ts";

const Values = z.array(z.string().nullable());

/** The cache over Redis. */
export class RedisCache implements Cache {
  readonly #redis: RedisClient;
  readonly #breaker: CircuitBreaker;

  constructor(redis: RedisClient, now: () => number) {
    this.#redis = redis;
    this.#breaker = new CircuitBreaker(now);
  }

  getMany(keys: readonly string[]): Promise<(string | null)[]> {
    return this.#guard(async () => Values.parse(await this.#redis.send((pipeline) => pipeline.mget(...keys))));
  }

  async set(key: string, value: string, ttlSeconds: number): Promise<void> {
    await this.#guard(() => this.#redis.send((pipeline) => pipeline.set(key, value, { ex: ttlSeconds })));
  }

  async delete(key: string): Promise<void> {
    await this.#guard(() => this.#redis.send((pipeline) => pipeline.del(key)));
  }

  async ping(): Promise<void> {
    // A health probe must reach Redis itself, also while the circuit is open.
    this.#breaker.reset();
    await this.#guard(() => this.#redis.send((pipeline) => pipeline.ping()));
  }

  async #guard<T>(command: () => Promise<T>): Promise<T> {
    try {
      return await this.#breaker.run(command);
    } catch (cause) {
      throw new CacheUnavailable(cause instanceof Error ? cause.message : "the cache did not respond", { cause });
    }
  }
}
