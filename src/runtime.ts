import { KnownCredentials } from "./auth/known-credentials.ts";
import { parseConfig, type Config } from "./config.ts";
import { openDatabase, type Database } from "./db/client.ts";
import type { Env } from "./env.ts";
import { openExportPorts, type ExportPorts } from "./platform/artifacts/export-ports.ts";
import type { ArtifactStore } from "./platform/artifacts/artifact-store.ts";
import { R2ArtifactStore } from "./platform/artifacts/r2-artifact-store.ts";
import type { Cache } from "./platform/redis/cache.ts";
import type { EventStreamPort } from "./platform/objects/event-stream-port.ts";
import { openHolderScanner, type HolderScanner } from "./platform/objects/holder-scanner.ts";
import type { IpBudget } from "./platform/rate-limit/ip-budget.ts";
import type { Metrics } from "./platform/metrics/metrics.ts";
import { openMetrics } from "./platform/metrics/open-metrics.ts";
import type { Meter } from "./platform/objects/meter.ts";
import { DurableObjectEventStream } from "./platform/objects/durable-object-event-stream.ts";
import { DurableObjectMeter } from "./platform/objects/durable-object-meter.ts";
import { RedisCache } from "./platform/redis/redis-cache.ts";
import { CacheApiResponses } from "./platform/responses/cache-api-responses.ts";
import type { SharedResponses } from "./platform/responses/shared-responses.ts";
import { openRedis } from "./platform/redis/redis-client.ts";
import { RedisIpBudget } from "./platform/rate-limit/redis-ip-budget.ts";
import { RedisRequestLimiter } from "./platform/rate-limit/redis-request-limiter.ts";
import { systemClock, type Clock } from "./lib/timing/clock.ts";
import { consoleLog } from "./platform/log/console-log.ts";
import type { RequestLimiter } from "./platform/rate-limit/request-limiter.ts";
import { openWebhookPorts, type WebhookPorts } from "./platform/objects/webhook-ports.ts";

/** The resources that an isolate opens once and all its requests share. */
export interface Runtime {
  readonly config: Config;
  readonly db: Database;
  readonly cache: Cache;
  readonly sharedResponses: SharedResponses;
  readonly credentials: KnownCredentials;
  readonly ipBudget: IpBudget;
  readonly requestLimiter: RequestLimiter;
  readonly meter: Meter;
  readonly eventStream: EventStreamPort;
  readonly webhooks: WebhookPorts;
  readonly holderScanner: HolderScanner;
  readonly metrics: Metrics;
  readonly exports: ExportPorts;
  readonly artifacts: ArtifactStore;
  /** Resolves after `ms` milliseconds, or when the signal aborts. */
  readonly wait: Clock["wait"];
}

export function openRuntime(
  env: Pick<
    Env,
    | "JOB_RUNNER"
    | "USER_METER"
    | "STREAM_FANOUT"
    | "WEBHOOKS_QUEUE"
    | "WEBHOOK_ENDPOINT"
    | "EXPORTS_QUEUE"
    | "ARTIFACTS"
    | "REGION"
    | "METRICS"
  >,
): Runtime {
  const config = parseConfig(env);
  const redis = openRedis(config.redisUrl, config.redisToken);
  return {
    config,
    db: openDatabase(config),
    cache: new RedisCache(redis, Date.now),
    sharedResponses: new CacheApiResponses(consoleLog),
    credentials: new KnownCredentials(),
    ipBudget: new RedisIpBudget(redis, Date.now),
    requestLimiter: new RedisRequestLimiter(redis, Date.now),
    meter: new DurableObjectMeter(env.USER_METER),
    eventStream: new DurableObjectEventStream(env.STREAM_FANOUT, config, env),
    webhooks: openWebhookPorts(config, env),
    holderScanner: openHolderScanner(env),
    metrics: openMetrics(env),
    exports: openExportPorts(config, env),
    artifacts: new R2ArtifactStore(env.ARTIFACTS),
    wait: systemClock.wait,
  };
}
