import { Ratelimit } from "@upstash/ratelimit";
import type { RedisClient } from "./redis-client.ts";

/**
 * A sliding minute of two counters for each subject, in Redis.
 *
 * @param limit requests a minute
 */
export function openSlidingMinute(redis: RedisClient, prefix: string, limit: number): Ratelimit {
  return new Ratelimit({
    redis: scriptsOf(redis),
    limiter: Ratelimit.slidingWindow(limit, "60 s"),
    prefix,
    // It would refuse until the window's end what Redis admits sooner, grows without bound, and spares nothing: the credential is asked for anyway.
    ephemeralCache: false,
    // It would admit every request while Redis is slow; the client's own timeout leads to the isolate's window.
    timeout: 0,
    // It would write several more keys for every request.
    analytics: false,
    enableTelemetry: false,
  });
}

/** The part of a Redis driver that the limiter uses, over the shared client. */
function scriptsOf(redis: RedisClient): ConstructorParameters<typeof Ratelimit>[0]["redis"] {
  const scripts = {
    evalsha: (sha1: string, keys: string[], args: unknown[]) => redis.send((pipeline) => pipeline.evalsha(sha1, keys, args)),
    eval: (script: string, keys: string[], args: unknown[]) => redis.send((pipeline) => pipeline.eval(script, keys, args)),
  };
  // It wants a driver but calls these two alone, and names the type of the reply itself.
  return scripts as unknown as ConstructorParameters<typeof Ratelimit>[0]["redis"];
}
