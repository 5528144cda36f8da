import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import type { IpVerdict } from "../../../../src/platform/rate-limit/ip-budget.ts";
import { RedisCache } from "../../../../src/platform/redis/redis-cache.ts";
import { openRedis, type RedisClient } from "../../../../src/platform/redis/redis-client.ts";
import { RedisIpBudget } from "../../../../src/platform/rate-limit/redis-ip-budget.ts";
import { MINUTE_MS } from "../../../../src/scoring/utc-calendar.ts";
import { KEYLESS } from "../../../support/api/unlimited.ts";

let redis: RedisClient;
let budget: RedisIpBudget;
/** An address that no other test uses. */
let ip: string;

beforeEach(() => {
  // Redis keeps its own clock, and its counters live for two minutes of it.
  vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 20_000 });
  const { redisUrl, redisToken } = inject("services");
  redis = openRedis(redisUrl, redisToken);
  budget = new RedisIpBudget(redis, Date.now);
  ip = `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`;
});

afterEach(() => {
  vi.useRealTimers();
});

const burst = (count: number, name: "shared" | "health", address = ip): Promise<IpVerdict[]> =>
  Promise.all(Array.from({ length: count }, () => budget.spend(address, name, KEYLESS)));

test.for([
  ["shared", 1_200],
  ["health", 120],
] as const)("the %s budget in workerd ends after %i requests a minute", async ([name, limit]) => {
  const minuteEnd = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  const verdicts = await burst(limit + 1, name);
  const refused = verdicts.pop();
  expect(new Set(verdicts.map(({ refusedBy }) => refusedBy))).toEqual(new Set([null]));
  expect(verdicts.map(({ remaining }) => remaining)).toEqual(Array.from({ length: limit }, (_, i) => limit - 1 - i));
  expect(refused).toEqual({
    refusedBy: "limited",
    retryAtMs: minuteEnd + 1,
    limit,
    remaining: 0,
    resetAtMs: minuteEnd,
  });
  const neighbour = ip.replace("::1", "::2");
  const stranger = ip.replace("2001:db8:", "2001:db9:");
  expect(await burst(1, name, neighbour)).toMatchObject([{ refusedBy: "limited" }]);
  expect(await burst(1, name, stranger)).toMatchObject([{ refusedBy: null, remaining: limit - 1 }]);
  vi.setSystemTime(minuteEnd + 1);
  expect(await burst(1, name)).toMatchObject([{ refusedBy: null, remaining: 0 }]);
});

test("a budget and a cache read in workerd share one HTTP request", async () => {
  const cache = new RedisCache(redis, Date.now);
  await budget.spend(ip, "shared", KEYLESS);
  const fetching = vi.spyOn(globalThis, "fetch");
  const [values, verdict] = await Promise.all([cache.getMany([`none:${ip}`]), budget.spend(ip, "shared", KEYLESS)]);
  expect(fetching).toHaveBeenCalledTimes(1);
  expect(values).toEqual([null]);
  expect(verdict).toMatchObject({ refusedBy: null, remaining: 1_198 });
});

test("five minutes over the budget throttle an address for that budget only", async () => {
  for (let minute = 0; minute < 5; minute++) {
    if (minute > 0) vi.setSystemTime(Date.now() + MINUTE_MS);
    await burst(220, "health");
  }
  const untilMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 6 * MINUTE_MS;
  expect(await burst(1, "health")).toMatchObject([{ refusedBy: "throttled", retryAtMs: untilMs }]);
  expect(await burst(1, "shared")).toMatchObject([{ refusedBy: null, limit: 1_200, remaining: 1_199 }]);
});

test("a Redis outage leaves each isolate its own window", async () => {
  budget = new RedisIpBudget(openRedis("http://127.0.0.1:1", "token"), Date.now);
  const verdicts = await burst(121, "health");
  expect(verdicts.at(119)).toMatchObject({ refusedBy: null, remaining: 0 });
  expect(verdicts.at(120)).toMatchObject({ refusedBy: "limited", retryAtMs: Date.now() + MINUTE_MS });
});
