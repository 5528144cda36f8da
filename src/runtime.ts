import { parseConfig, type Config } from "./config.ts";
import { openDatabase, type Database } from "./db/client.ts";
import type { Cache } from "./ports/cache.ts";
import { RedisCache } from "./ports/redis-cache.ts";

/** What an isolate opens once and every request shares. */
export interface Runtime {
  readonly config: Config;
  readonly db: Database;
  readonly cache: Cache;
}

export function openRuntime(env: object): Runtime {
  const config = parseConfig(env);
  return { config, db: openDatabase(config), cache: new RedisCache(config.redisUrl, config.redisToken, Date.now) };
}
