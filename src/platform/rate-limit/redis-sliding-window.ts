import { Ratelimit } from "@upstash/ratelimit";
import type { RedisClient } from "../redis/redis-client.ts";

/**
 * A sliding window of 60 s for each subject, approximated with two counters in Redis.
 *
 * @param limit requests per minute
 */
export function openRedisSlidingWindow(redis: RedisClient, prefix: string, limit: number): Ratelimit {
  return new Ratelimit({
    redis: scriptsOf(redis),
    limiter: Ratelimit.slidingWindow(limit, "60 s"),
    prefix,
    // Off: the ephemeral cache blocks until the window resets (Redis may admit earlier), and is unbounded.
    ephemeralCache: false,
    // Off: the limiter's timeout admits every request while Redis is slow. The client's own timeout leads to
    // the isolate's window instead.
    timeout: 0,
    // Off: analytics write several more keys for every request.
    analytics: false,
    enableTelemetry: false,
  });
}

/** The part of a Redis driver that the limiter uses, over the shared client. */
function scriptsOf(redis: RedisClient): ConstructorParameters<typeof Ratelimit>[0]["redis"] {
  const scripts = {
    evalsha: (sha1: string, keys: string[], args: unknown[]) =>
      redis.send((pipeline) => pipeline.evalsha(sha1, keys, args)),
    eval: (script: string, keys: string[], args: unknown[]) =>
      redis.send((pipeline) => pipeline.eval(script, keys, args)),
  };
  // The limiter requires a whole driver but calls only these two methods and declares the reply types itself.
  return scripts as unknown as ConstructorParameters<typeof Ratelimit>[0]["redis"];
}
