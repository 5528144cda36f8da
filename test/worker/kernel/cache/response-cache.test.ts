import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createApp } from "../../../../src/app.ts";
import type { Database } from "../../../../src/db/client.ts";
import { CACHE_TAGS, cacheVersionKey } from "../../../../src/domain/cache-tags.ts";
import { CacheUnavailable } from "../../../../src/platform/redis/cache.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import type { Runtime } from "../../../../src/runtime.ts";
import { countStatements } from "../../../support/database/count-statements.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aCachedOperation, type OnHandled } from "../../../support/kernel/cached-operations.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type KernelResponse, type Kernel } from "../../../support/kernel/open-kernel.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const PATH = "/api/v1/trader-count";
const RESTING = { cacheTags: ["leaderboard", "trending"] } as const;

let db: Database;
let key: string;
let runtime: Runtime;
let countSent: () => number;
let redisIsAway: boolean;

beforeEach(async () => {
  const database = await createTestDatabase();
  db = database.db;
  key = await aKey(db);
  const opened = openTestRuntime(database.databaseUrl);
  const counted = countStatements(opened.db);
  countSent = counted.sent;
  redisIsAway = false;
  const { cache } = opened;
  const reach = <T>(ask: () => Promise<T>) => (redisIsAway ? Promise.reject(new CacheUnavailable("away")) : ask());
  runtime = {
    ...opened,
    db: counted.db,
    // Real waits: a wait of zero would end before the work that it waits for.
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    cache: {
      ...cache,
      getMany: (keys) => reach(() => cache.getMany(keys)),
      set: (name, value, seconds) => reach(() => cache.set(name, value, seconds)),
    },
  };
});

afterEach(() => {
  vi.useRealTimers();
});

/** A separate isolate that serves the operation. */
const anIsolate = (facts: Parameters<typeof aCachedOperation>[0] = RESTING, ran?: OnHandled): Kernel =>
  openKernel(runtime, [aCachedOperation(facts, ran)], key);

const publish = (word: string, name: (typeof RESTING.cacheTags)[number] = "leaderboard") =>
  runtime.cache.set(cacheVersionKey(name), word, 60);

const summaryOf = ({ body }: KernelResponse) => ({ traders: body.data.traders, cached: body.meta.cached });

/** A gate that blocks every caller until it is opened. */
function aGate() {
  const [blocked, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const block = () => {
    blocked.resolve();
    return opened.promise;
  };
  return { block, isBlocked: blocked.promise, open: () => opened.resolve() };
}

/** Advances the clock of subsequent requests, in seconds. */
function advanceSeconds(seconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: now + seconds * 1000 });
}

describe("cached response with cache tags", () => {
  test("a cached response is served for less than five seconds after a tag's next version is published", async () => {
    const isolate = anIsolate();
    await publish("1");
    expect(summaryOf(await isolate.send(PATH))).toEqual({ traders: 0, cached: false });
    await aSeededTrader(db);
    await publish("2");
    advanceSeconds(0.9);
    expect(summaryOf(await isolate.send(PATH))).toEqual({ traders: 0, cached: true });
    advanceSeconds(4.1);
    expect(summaryOf(await isolate.send(PATH))).toEqual({ traders: 1, cached: false });
    expect(summaryOf(await isolate.send(PATH))).toEqual({ traders: 1, cached: true });
  });

  test("a request after a second has the versions read in the background, and the next one sees them", async () => {
    const isolate = anIsolate();
    await publish("1");
    await isolate.send(PATH);
    await aSeededTrader(db);
    await publish("2");
    advanceSeconds(1);
    expect(summaryOf(await isolate.send(PATH))).toEqual({ traders: 0, cached: true });
    expect(summaryOf(await isolate.send(PATH))).toEqual({ traders: 1, cached: false });
  });

  test("a cached response of another isolate is not served after a tag's next version is published", async () => {
    await publish("1", "trending");
    await anIsolate().send(PATH);
    await aSeededTrader(db);
    expect(summaryOf(await anIsolate().send(PATH))).toEqual({ traders: 0, cached: true });
    await publish("2", "trending");
    expect(summaryOf(await anIsolate().send(PATH))).toEqual({ traders: 1, cached: false });
  });

  test("a cached response is recomputed when a tag gets its first version and when its version is lost", async () => {
    const isolate = anIsolate();
    await isolate.send(PATH);
    await aSeededTrader(db);
    await publish("1");
    advanceSeconds(5);
    expect(summaryOf(await isolate.send(PATH))).toEqual({ traders: 1, cached: false });
    await aSeededTrader(db);
    await runtime.cache.delete(cacheVersionKey("leaderboard"));
    advanceSeconds(5);
    expect(summaryOf(await isolate.send(PATH))).toEqual({ traders: 2, cached: false });
  });

  test("an If-None-Match is compared with the recomputed response after a tag's next version is published", async () => {
    const isolate = anIsolate();
    await publish("1");
    const headers = { "if-none-match": (await isolate.send(PATH)).headers.get("etag") ?? "" };
    expect((await isolate.send(PATH, { headers })).status).toBe(304);
    await aSeededTrader(db);
    await publish("2");
    advanceSeconds(5);
    expect(summaryOf(await isolate.send(PATH, { headers }))).toEqual({ traders: 1, cached: false });
  });

  test("a response whose data was read before a publish is not cached under the new version", async () => {
    const { block, isBlocked, open } = aGate();
    const isolate = anIsolate(RESTING, block);
    await publish("1");
    const before = isolate.send(PATH);
    await isBlocked;
    await aSeededTrader(db);
    await publish("2");
    open();
    expect(summaryOf(await before)).toEqual({ traders: 0, cached: false });
    expect(summaryOf(await anIsolate().send(PATH))).toEqual({ traders: 1, cached: false });
    advanceSeconds(5);
    expect(summaryOf(await isolate.send(PATH))).toMatchObject({ traders: 1 });
  });

  test("a request that has read a newer version does not wait for an older computation in flight", async () => {
    const { block, isBlocked, open } = aGate();
    let runs = 0;
    const isolate = anIsolate(RESTING, () => (++runs === 1 ? block() : undefined));
    await publish("1");
    const before = isolate.send(PATH);
    await isBlocked;
    await aSeededTrader(db);
    await publish("2");
    advanceSeconds(5);
    expect(summaryOf(await isolate.send(PATH))).toEqual({ traders: 1, cached: false });
    open();
    await before;
    expect(summaryOf(await isolate.send(PATH))).toMatchObject({ traders: 1 });
  });

  test("an isolate asks Redis once for the versions of all tags, and not for responses", async () => {
    const trips: (readonly string[])[] = [];
    const { cache } = runtime;
    const getMany = (keys: readonly string[]) => {
      trips.push(keys);
      return cache.getMany(keys);
    };
    runtime = { ...runtime, cache: { ...cache, getMany } };
    const isolate = anIsolate();
    await isolate.send(PATH);
    await isolate.send(PATH);
    await isolate.send(`${PATH}?`);
    expect(trips).toEqual([CACHE_TAGS.map(cacheVersionKey)]);
  });

  test("a response without cache tags needs no Redis", async () => {
    redisIsAway = true;
    await anIsolate({ cacheTags: [] }).send(PATH);
    expect(summaryOf(await anIsolate({ cacheTags: [] }).send(PATH))).toMatchObject({ cached: true });
  });
});

describe("Redis outage", () => {
  test("an isolate serves its cached response during a Redis outage and drops it when Redis returns with a newer version", async () => {
    const isolate = anIsolate();
    await publish("1");
    await isolate.send(PATH);
    await aSeededTrader(db);
    await publish("2");
    redisIsAway = true;
    advanceSeconds(5);
    expect(summaryOf(await isolate.send(PATH))).toEqual({ traders: 0, cached: true });
    redisIsAway = false;
    expect(summaryOf(await isolate.send(PATH))).toEqual({ traders: 1, cached: false });
  });

  test("a response computed during a Redis outage is not used under the version read afterwards", async () => {
    const isolate = anIsolate();
    redisIsAway = true;
    await isolate.send(PATH);
    await aSeededTrader(db);
    expect(summaryOf(await isolate.send(PATH))).toEqual({ traders: 0, cached: true });
    redisIsAway = false;
    expect(summaryOf(await isolate.send(PATH))).toEqual({ traders: 1, cached: false });
  });

  test("a cached response expires during a Redis outage too", async () => {
    const isolate = anIsolate();
    redisIsAway = true;
    await isolate.send(PATH);
    advanceSeconds(60);
    expect(summaryOf(await isolate.send(PATH))).toEqual({ traders: 0, cached: false });
  });
});

describe("age of a cached response", () => {
  test("a cached response reports its age in whole seconds and expires after cacheSeconds", async () => {
    const isolate = anIsolate({ ...RESTING, cacheSeconds: 10 });
    const { body } = await isolate.send(PATH);
    expect(body.meta).not.toHaveProperty("cache_age_s");
    advanceSeconds(9);
    expect((await isolate.send(PATH)).body.meta).toMatchObject({ cached: true, cache_age_s: 9 });
    advanceSeconds(2);
    const { meta } = (await isolate.send(PATH)).body;
    expect(meta.cached).toBe(false);
    expect(meta).not.toHaveProperty("cache_age_s");
  });

  test("the age of a cached response counts from its computation in another isolate", async () => {
    await anIsolate({ cacheSeconds: 5 }).send(PATH);
    advanceSeconds(4);
    expect((await anIsolate({ cacheSeconds: 5 }).send(PATH)).body.meta).toMatchObject({ cached: true, cache_age_s: 4 });
    // The Cache API still has the entry: its clock has not advanced.
    advanceSeconds(2);
    expect((await anIsolate({ cacheSeconds: 5 }).send(PATH)).body.meta.cached).toBe(false);
  });
});

describe("fifty concurrent requests without a cache entry", () => {
  const fifty = (isolate: Kernel) => Promise.all(Array.from({ length: 50 }, () => isolate.send(PATH)));

  test("fifty concurrent requests run one statement, and 49 responses are marked as cached", async () => {
    const isolate = anIsolate({}, () => new Promise((resolve) => setTimeout(resolve, 50)));
    // Caches the credential, so that only the handler's statements are counted.
    await openKernel(runtime, OPERATIONS, key).send("/api/v1/me");
    const before = countSent();
    const responses = await fifty(isolate);
    expect(countSent() - before).toBe(1);
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(responses.filter(({ body }) => body.meta.cached)).toHaveLength(49);
    expect(responses.every(({ body }) => body.meta.cached === "cache_age_s" in body.meta)).toBe(true);
    expect(new Set(responses.map(({ body }) => body.meta.request_id)).size).toBe(50);
  });

  test("concurrent requests are all served when the first request's client has disconnected", async () => {
    let runs = 0;
    const isolate = anIsolate({}, () => (++runs === 1 ? new Promise<void>(() => undefined) : undefined));
    void isolate.send(PATH);
    await vi.waitFor(() => expect(runs).toBe(1));
    const responses = await fifty(isolate);
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(runs).toBe(2);
  });

  test("concurrent requests do not share an error of the first", async () => {
    let runs = 0;
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const isolate = anIsolate({}, () => (++runs === 1 ? Promise.reject(new Error("mine")) : undefined));
    const responses = await fifty(isolate);
    expect(responses.filter(({ status }) => status === 500)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(49);
  });
});

describe("separation of callers", () => {
  test("the handler of a shared response does not receive the caller's identity", async () => {
    expect((await anIsolate({}).send(PATH)).body.data.told_of_caller).toBe(false);
    expect((await anIsolate({ cacheSeconds: 0 }).send(PATH)).body.data.told_of_caller).toBe(true);
  });

  test("a request without a valid key gets no cached response", async () => {
    const isolate = anIsolate();
    await isolate.send(PATH);
    for (const other of [null, `svc_sk_live_${"0".repeat(64)}`])
      expect((await isolate.send(PATH, { key: other })).status).toBe(401);
  });

  test("a shared computation completes after its client disconnects", async () => {
    const { block, isBlocked, open } = aGate();
    const app = createApp(runtime, [aCachedOperation({}, block)]);
    const deferred: Promise<unknown>[] = [];
    const context = {
      waitUntil: (work: Promise<unknown>) => void deferred.push(work),
      passThroughOnException: () => undefined,
      props: {},
    };
    const response = app.fetch(
      new Request(`http://api.test${PATH}`, { headers: { authorization: `Bearer ${key}` } }),
      {},
      context,
    );
    await isBlocked;
    // The deferred work includes the response itself.
    const order: string[] = [];
    const completed = Promise.all(deferred).then(() => order.push("completed"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    order.push("released");
    open();
    await response;
    await completed;
    expect(order).toEqual(["released", "completed"]);
    // The response reaches the Cache API last.
    await Promise.all(deferred);
    expect((await anIsolate({}).send(PATH)).body.meta.cached).toBe(true);
  });
});
