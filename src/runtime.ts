import { parseConfig, type Config } from "./config.ts";
import { openDatabase, type Database } from "./db/client.ts";
import type { Env } from "./env.ts";
import type { Cache } from "./ports/cache.ts";
import type { EventStreamPort } from "./ports/event-stream.ts";
import { openHolderScanner, type HolderScanner } from "./ports/holder-scanner.ts";
import type { IpBudget } from "./ports/ip-budget.ts";
import type { Meter } from "./ports/meter.ts";
import { ObjectEventStream } from "./ports/object-event-stream.ts";
import { ObjectMeter } from "./ports/object-meter.ts";
import { RedisCache } from "./ports/redis-cache.ts";
import { openRedis } from "./ports/redis-client.ts";
import { RedisIpBudget } from "./ports/redis-ip-budget.ts";
import { RedisRequestLimiter } from "./ports/redis-request-limiter.ts";
import type { RequestLimiter } from "./ports/request-limiter.ts";
import { openWebhookPorts, type WebhookPorts } from "./ports/webhook-ports.ts";

/** What an isolate opens once and every request shares. */
export interface Runtime {
  readonly config: Config;
  readonly db: Database;
  readonly cache: Cache;
  readonly ipBudget: IpBudget;
  readonly requestLimiter: RequestLimiter;
  readonly meter: Meter;
  readonly eventStream: EventStreamPort;
  readonly webhooks: WebhookPorts;
  readonly holderScanner: HolderScanner;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
}

export function openRuntime(
  env: Pick<Env, "PROVIDER_FEED" | "USER_METER" | "STREAM_FANOUT" | "WEBHOOKS_QUEUE" | "WEBHOOK_ENDPOINT">,
): Runtime {
  const config = parseConfig(env);
  const redis = openRedis(config.redisUrl, config.redisToken);
  return {
    config,
    db: openDatabase(config),
    cache: new RedisCache(redis, Date.now),
    ipBudget: new RedisIpBudget(redis, Date.now),
    requestLimiter: new RedisRequestLimiter(redis, Date.now),
    meter: new ObjectMeter(env.USER_METER),
    eventStream: new ObjectEventStream(env.STREAM_FANOUT, config.credentialSecret),
    webhooks: openWebhookPorts(config, env),
    holderScanner: openHolderScanner(env.PROVIDER_FEED),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}
