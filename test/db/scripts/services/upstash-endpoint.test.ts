import { Redis } from "@upstash/redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MemoryRedis } from "../../../../scripts/services/redis/memory-redis.ts";
import { startUpstash, type UpstashEndpoint } from "../../../../scripts/services/redis/upstash-endpoint.ts";
import { CacheUnavailable } from "../../../../src/platform/redis/cache.ts";
import { RedisCache } from "../../../../src/platform/redis/redis-cache.ts";
import { openRedis } from "../../../../src/platform/redis/redis-client.ts";

let endpoint: UpstashEndpoint;

beforeAll(async () => {
  endpoint = await startUpstash({ port: 0, token: "right-token" });
});

afterAll(() => endpoint.stop());

const client = (options: { token?: string; responseEncoding?: false | "base64" } = {}) =>
  new Redis({
    url: endpoint.url,
    token: options.token ?? "right-token",
    retry: false,
    automaticDeserialization: false,
    enableTelemetry: false,
    enableAutoPipelining: false,
    ...(options.responseEncoding === undefined ? {} : { responseEncoding: options.responseEncoding }),
  });

describe("Upstash's own client", () => {
  test.each([{ responseEncoding: false }, { responseEncoding: "base64" }] as const)(
    "values are returned as they were set, with %j",
    async (options) => {
      const redis = client(options);
      const value = 'Zürich "OK" \n 日本 {"a":1}';
      expect(await redis.set("text", value)).toBe("OK");
      expect(await redis.get("text")).toBe(value);
      expect(await redis.mget("text", "absent", "text")).toEqual([value, null, value]);
      expect(await redis.exists("text", "absent")).toBe(1);
      expect(await redis.del("text", "absent")).toBe(1);
      expect(await redis.get("text")).toBeNull();
      expect(await redis.ping()).toBe("PONG");
    },
  );

  test("a value may be set with an expiry, only when absent, or only when present", async () => {
    const redis = client();
    await redis.set("timed", "1", { ex: 60 });
    expect(await redis.ttl("timed")).toBe(60);
    expect(await redis.set("timed", "2", { nx: true })).toBeNull();
    expect(await redis.set("new", "1", { xx: true })).toBeNull();
    expect(await redis.get("timed")).toBe("1");
    expect(await redis.ttl("new")).toBe(-2);
  });

  test("a pipeline and a transaction return each command's reply in order", async () => {
    const redis = client();
    expect(await redis.pipeline().set("a", "1").get("a").get("absent").exec()).toEqual(["OK", "1", null]);
    expect(await redis.multi().set("b", "2").mget("a", "b").exec()).toEqual(["OK", ["1", "2"]]);
  });

  test("a wrong token is refused", async () => {
    await expect(client({ token: "wrong-token" }).get("a")).rejects.toThrow("WRONGPASS");
  });

  test("an unsupported command returns an error of Redis's own kind", async () => {
    await expect(client().incr("a")).rejects.toThrow("ERR unknown command 'incr'");
  });
});

describe("the product's cache", () => {
  test("the cache returns a value until it is deleted, and null for an unknown key", async () => {
    const cache = new RedisCache(openRedis(endpoint.url, "right-token"), Date.now);
    await cache.set("one", "1", 60);
    expect(await cache.getMany(["one", "none"])).toEqual(["1", null]);
    await cache.delete("one");
    expect(await cache.getMany(["one"])).toEqual([null]);
    await expect(cache.ping()).resolves.toBeUndefined();
  });

  test("the cache is unavailable while the endpoint is down, and serves again afterwards", async () => {
    const first = await startUpstash({ port: 0, token: "right-token" });
    let now = 0;
    const cache = new RedisCache(openRedis(first.url, "right-token"), () => now);
    await first.stop();
    await expect(cache.getMany(["one"])).rejects.toBeInstanceOf(CacheUnavailable);
    const restarted = await startUpstash({ port: Number(new URL(first.url).port), token: "right-token" });
    // After a failure it is not called for a second, so that requests do not wait for it one by one.
    await expect(cache.getMany(["one"])).rejects.toThrow("the circuit is open");
    now += 1_000;
    expect(await cache.getMany(["one"])).toEqual([null]);
    await restarted.stop();
  });
});

test("a value with an expiry exists until exactly that time", () => {
  let now = 1_000_000;
  const redis = new MemoryRedis(() => now);
  redis.run(["SET", "short", "x", "EX", "10"]);
  now += 9_999;
  expect(redis.run(["GET", "short"])).toBe("x");
  expect(redis.run(["PTTL", "short"])).toBe(1);
  now += 1;
  expect(redis.run(["GET", "short"])).toBeNull();
  expect(redis.run(["EXISTS", "short"])).toBe(0);
});
