import type { RedisReply } from "./redis-runner.ts";

export interface ScriptHost {
  get(key: string): string | null;
  incrBy(key: string, by: number): number;
  expireIn(key: string, ms: number): void;
}

type Script = (redis: ScriptHost, keys: readonly string[], args: readonly string[]) => RedisReply;

/**
 * The stand-in runs no Lua. These scripts of the product's libraries are implemented in TypeScript, by the
 * SHA-1 of their text. A library that changes its text changes the hash, and the stand-in then fails instead
 * of running an outdated version.
 */
export const SCRIPTS: ReadonlyMap<string, Script> = new Map([
  // @upstash/ratelimit 2.2.0, sliding window in one region.
  ["74740bb3d7792848093cdef586b6b6037c455fd6", limitSlidingWindow],
]);

function limitSlidingWindow(redis: ScriptHost, keys: readonly string[], args: readonly string[]): RedisReply {
  const [currentKey = "", previousKey = "", dynamicLimitKey = ""] = keys;
  const [tokens, now, windowMs, incrementBy] = [number(args, 0), number(args, 1), number(args, 2), number(args, 3)];
  const limit = Number((dynamicLimitKey === "" ? null : redis.get(dynamicLimitKey)) ?? tokens);
  const current = Number(redis.get(currentKey) ?? 0);
  const shareOfCurrent = (now % windowMs) / windowMs;
  const carried = Math.floor((1 - shareOfCurrent) * Number(redis.get(previousKey) ?? 0));
  if (incrementBy > 0 && carried + current >= limit) return [-1, limit];
  const counted = redis.incrBy(currentKey, incrementBy);
  if (counted === incrementBy) redis.expireIn(currentKey, windowMs * 2 + 1000);
  return [limit - (counted + carried), limit];
}

function number(args: readonly string[], index: number): number {
  const value = Number(args[index]);
  if (args[index] === undefined || Number.isNaN(value))
    throw new Error(`ERR the script's argument ${index + 1} is not a number`);
  return value;
}
