import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { startUpstash, type UpstashEndpoint } from "../../../../scripts/services/redis/upstash-endpoint.ts";
import type { IpVerdict, PresentedKey, SpendingRequest } from "../../../../src/platform/rate-limit/ip-budget.ts";
import { RedisCache } from "../../../../src/platform/redis/redis-cache.ts";
import { openRedis } from "../../../../src/platform/redis/redis-client.ts";
import { RedisIpBudget } from "../../../../src/platform/rate-limit/redis-ip-budget.ts";
import { elapseTimersOf } from "../../../support/elapse-timers.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/scoring/utc-calendar.ts";

const SECOND_MS = 1_000;
/** The start of a minute. */
const START = Date.UTC(2026, 9, 5, 12, 0, 0);
const IP = "203.0.113.7";

let endpoint: UpstashEndpoint;
let budget: RedisIpBudget;
/** What requests left to be done after their responses. */
let background: Promise<unknown>[];

beforeEach(async () => {
  // The limiter, the expiries of the Redis substitute and the tests share one clock.
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  endpoint = await startUpstash({ port: 0, token: "token" });
  background = [];
  budget = anIsolate();
});

afterEach(async () => {
  vi.useRealTimers();
  await endpoint.stop();
});

const anIsolate = () => new RedisIpBudget(openRedis(endpoint.url, "token"), Date.now);

/** Sends this many requests in one tick, so that they share one HTTP request in order, and what follows their responses. */
async function burst(
  count: number,
  name: "shared" | "health" = "health",
  ip = IP,
  from = budget,
): Promise<IpVerdict[]> {
  const verdicts = await Promise.all(Array.from({ length: count }, () => from.spend(ip, name, requestWith(null))));
  await Promise.all(background.splice(0));
  return verdicts;
}

const requestWith = (key: PresentedKey | null): SpendingRequest => ({
  key,
  waitUntil: (work) => void background.push(work),
});

/**
 * A key that the cache knows, that was found before, that needs a lookup, or that does not exist. `lookedUp`
 * counts database lookups.
 */
function aKey(id: string, kind: "known" | "found before" | "new" | "wrong"): PresentedKey & { lookedUp: number } {
  const key = {
    id,
    lookedUp: 0,
    isKnown: () => kind === "known",
    isValid: async (mayLookUp: () => boolean) => {
      if (kind === "known") return true;
      if (kind !== "found before" && !mayLookUp()) return false;
      key.lookedUp++;
      return kind !== "wrong";
    },
  };
  return key;
}

/** A burst of requests that present a key, and what follows their responses. */
async function burstWith(key: PresentedKey, count: number, ip = IP, from = budget): Promise<IpVerdict[]> {
  const verdicts = await Promise.all(Array.from({ length: count }, () => from.spend(ip, "shared", requestWith(key))));
  await Promise.all(background.splice(0));
  return verdicts;
}

const refusals = (verdicts: readonly IpVerdict[]) => verdicts.map(({ refusedBy }) => refusedBy);
const admittedOf = (verdicts: readonly IpVerdict[]) => verdicts.filter(({ refusedBy }) => refusedBy === null).length;

const countRefused = (verdicts: readonly IpVerdict[]) => verdicts.filter(({ refusedBy }) => refusedBy !== null).length;

/**
 * Simulates consecutive minutes from the next one on, each with this many refused requests. Ends in the last
 * of them.
 */
async function minutesOfExcess(
  minutes: number,
  refused = 100,
  name: "shared" | "health" = "health",
): Promise<IpVerdict[]> {
  let last: IpVerdict[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    vi.setSystemTime(minuteStart() + MINUTE_MS + 30 * SECOND_MS);
    const spent = await burst(name === "health" ? 120 : 1_200, name);
    last = await burst(refused - countRefused(spent), name);
  }
  return last;
}

const minuteStart = () => Date.now() - (Date.now() % MINUTE_MS);

describe("the limit of a budget", () => {
  test.for([
    ["shared", 1_200],
    ["health", 120],
  ] as const)("the %s budget admits %i requests a minute", async ([name, limit]) => {
    vi.setSystemTime(START + 15 * SECOND_MS);
    const verdicts = await burst(limit + 2, name);
    const expected = Array.from({ length: limit }, (_, i) => ({
      refusedBy: null,
      retryAtMs: null,
      limit,
      remaining: limit - 1 - i,
      resetAtMs: START + MINUTE_MS,
    }));
    const refused = {
      refusedBy: "limited",
      retryAtMs: START + MINUTE_MS + 1,
      limit,
      remaining: 0,
      resetAtMs: START + MINUTE_MS,
    };
    expect(verdicts).toEqual([...expected, refused, refused]);
  });

  test("the limit slides: after half a minute, half of the last minute still counts", async () => {
    await burst(120);
    vi.setSystemTime(START + 90 * SECOND_MS);
    const [first] = await burst(1);
    // 120 - (60 carried + 1)
    expect(first).toMatchObject({ refusedBy: null, remaining: 59, resetAtMs: START + 2 * MINUTE_MS });
    expect(admittedOf(await burst(100))).toBe(59);
  });

  test("the limit is shared by all isolates, and separate for each address and budget", async () => {
    await burst(120);
    expect(refusals(await burst(1, "health", IP, anIsolate()))).toEqual(["limited"]);
    expect(await burst(1, "health", "203.0.113.8")).toMatchObject([{ refusedBy: null, remaining: 119 }]);
    expect(await burst(1, "shared")).toMatchObject([{ refusedBy: null, remaining: 1_199 }]);
  });

  test("all addresses of an IPv6 /64 share one limit, and the next /64 has its own", async () => {
    await burst(60, "health", "2001:db8:0:7::1");
    await burst(60, "health", "2001:db8:0:7:ffff:ffff:ffff:ffff");
    expect(refusals(await burst(1, "health", "2001:0db8:0:0007::2"))).toEqual(["limited"]);
    expect(await burst(1, "health", "2001:db8:0:8::1")).toMatchObject([{ refusedBy: null, remaining: 119 }]);
  });

  test("the limit never admits more than two counters allow, and admits a client at its retryAtMs", async () => {
    const bursts = fc.array(fc.tuple(fc.integer({ min: 0, max: 70_000 }), fc.integer({ min: 1, max: 200 })), {
      minLength: 3,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(fc.uuid(), bursts, async (uuid, arrivals) => {
        const ip = `2001:${uuid.slice(0, 4)}:${uuid.slice(4, 8)}:${uuid.slice(9, 13)}::1`;
        const admittedBy = new Map<number, number>();
        const admittedIn = (minute: number) => admittedBy.get(minute) ?? 0;
        /** Sends a burst and compares it with the rule, calculated here. */
        async function send(count: number): Promise<IpVerdict[]> {
          const minute = Math.floor(Date.now() / MINUTE_MS);
          const carried = Math.floor((1 - (Date.now() % MINUTE_MS) / MINUTE_MS) * admittedIn(minute - 1));
          const room = Math.max(0, 120 - carried - admittedIn(minute));
          const verdicts = await burst(count, "health", ip);
          expect(admittedOf(verdicts)).toBe(Math.min(count, room));
          admittedBy.set(minute, admittedIn(minute) + admittedOf(verdicts));
          return verdicts;
        }
        for (const [wait, count] of arrivals) {
          vi.setSystemTime(Date.now() + wait);
          const retryAtMs = (await send(count)).at(-1)?.retryAtMs ?? null;
          if (retryAtMs === null) continue;
          expect(retryAtMs).toBeGreaterThan(Date.now());
          vi.setSystemTime(retryAtMs);
          expect(refusals(await send(1))).toEqual([null]);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("one HTTP request to Redis", () => {
  /** Records the commands of each HTTP request that the isolate sends from now on. */
  function watchRequests(): string[][] {
    const requests: string[][] = [];
    const original = globalThis.fetch;
    const spy = vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
      const commands = JSON.parse(String(init?.body)) as string[][];
      requests.push(commands.map(([name = ""]) => name));
      expect(Object.keys(init?.headers ?? {}).filter((name) => /telemetry/i.test(name))).toEqual([]);
      return original(input, init);
    });
    onTestFinished(() => spy.mockRestore());
    return requests;
  }

  test("one HTTP request carries the budget and the cache reads of the same tick", async () => {
    const redis = openRedis(endpoint.url, "token");
    const cache = new RedisCache(redis, Date.now);
    const shared = new RedisIpBudget(redis, Date.now);
    await cache.set("cred:1", "record", 60);
    await shared.spend(IP, "shared", requestWith(aKey("cred:2", "new")));
    const requests = watchRequests();
    const [values, verdict] = await Promise.all([
      cache.getMany(["cred:1", "answer:1"]),
      shared.spend(IP, "shared", requestWith(aKey("cred:2", "new"))),
    ]);
    expect(requests).toEqual([["mget", "evalsha", "mget"]]);
    expect(values).toEqual(["record", null]);
    expect(verdict).toMatchObject({ refusedBy: null, remaining: 1_198 });
    await Promise.all([shared.spend(IP, "shared", requestWith(aKey("cred:2", "new"))), cache.getMany(["cred:1"])]);
    expect(requests.slice(1)).toEqual([["evalsha", "mget", "mget"]]);
  });

  test("a refusal costs one HTTP request, and every twentieth one more to record it for all isolates", async () => {
    await burst(120);
    const requests = watchRequests();
    for (let i = 0; i < 40; i++) await burst(1);
    expect(requests.filter((commands) => commands[0] === "evalsha")).toHaveLength(40);
    expect(requests.filter((commands) => commands[0] !== "evalsha")).toEqual([
      ["incrby", "expire", "mget", "mget"],
      ["incrby", "expire", "mget", "mget"],
    ]);
  });

  test("a failed command does not affect the others of its HTTP request", async () => {
    const redis = openRedis(endpoint.url, "token");
    const [failed, pong] = await Promise.allSettled([redis.send((p) => p.incr("a")), redis.send((p) => p.ping())]);
    expect(failed).toMatchObject({ status: "rejected", reason: { message: "ERR unknown command 'incr'" } });
    expect(pong).toEqual({ status: "fulfilled", value: "PONG" });
  });
});

describe("the cooldown of an address", () => {
  test("a cooldown begins with the fifth minute of excess and is not changed by requests during it", async () => {
    expect(refusals(await minutesOfExcess(4)).at(-1)).toBe("limited");
    const untilMs = minuteStart() + 2 * MINUTE_MS + 5 * MINUTE_MS;
    const verdicts = await minutesOfExcess(1);
    expect(verdicts.at(-1)).toEqual({
      refusedBy: "throttled",
      retryAtMs: untilMs,
      limit: 120,
      remaining: 0,
      resetAtMs: untilMs,
    });

    for (let at = Date.now(); at < untilMs; at += 20 * SECOND_MS) {
      vi.setSystemTime(at);
      const during = await burst(300, "health", IP, at % 2 === 0 ? budget : anIsolate());
      expect(new Set(refusals(during))).toEqual(new Set(["throttled"]));
      expect(new Set(during.map(({ retryAtMs }) => retryAtMs))).toEqual(new Set([untilMs]));
    }
    vi.setSystemTime(untilMs - 1);
    expect(await burst(1)).toMatchObject([{ refusedBy: "throttled", retryAtMs: untilMs }]);
    vi.setSystemTime(untilMs + 2 * MINUTE_MS);
    expect(refusals(await burst(1))).toEqual([null]);
  });

  test("a cooldown ends at its retry time", async () => {
    const [last] = (await minutesOfExcess(5)).slice(-1);
    vi.setSystemTime(last?.retryAtMs ?? 0);
    expect(await burst(1)).toMatchObject([{ refusedBy: null, remaining: 119 }]);
  });

  test.for([
    ["health", "shared"],
    ["shared", "health"],
  ] as const)(
    "a cooldown of the %s budget holds in every isolate, but not for the %s budget or another address",
    async ([name, other]) => {
      await minutesOfExcess(5, 100, name);
      expect(refusals(await burst(1, name, IP, anIsolate()))).toEqual(["throttled"]);
      expect(refusals(await burst(1, other, IP, anIsolate()))).toEqual([null]);
      expect(refusals(await burst(1, name, "203.0.113.8"))).toEqual([null]);
    },
  );

  test("a caller with fewer than a hundred refusals a minute gets no cooldown", async () => {
    for (let minute = 0; minute < 12; minute++) expect(refusals(await minutesOfExcess(1, 99)).at(-1)).toBe("limited");
  });

  test("a cooldown needs five minutes of excess within ten", async () => {
    for (let i = 0; i < 6; i++) {
      expect(refusals(await minutesOfExcess(1)).at(-1)).toBe("limited");
      vi.setSystemTime(Date.now() + 2 * MINUTE_MS);
    }
  });

  test("a cooldown adds up the refusals of all isolates", async () => {
    const others = [anIsolate(), anIsolate(), anIsolate(), anIsolate()];
    const verdicts: IpVerdict[] = [];
    for (let minute = 0; minute < 5; minute++) {
      vi.setSystemTime(minuteStart() + MINUTE_MS + 30 * SECOND_MS);
      await burst(120 - 60 * Math.sign(minute));
      for (const other of others) verdicts.push(...(await burst(40, "health", IP, other)));
    }
    expect(refusals(verdicts)).toContain("throttled");
  });

  test("each further cooldown is longer, up to three days, and shorter by a level for each quiet week", async () => {
    const lengths: number[] = [];
    /** Five minutes of excess; afterwards the clock is at the end of the resulting cooldown. */
    async function serveOne(): Promise<void> {
      const [last] = (await minutesOfExcess(5)).slice(-1);
      expect(last?.refusedBy).toBe("throttled");
      const untilMs = last?.retryAtMs ?? 0;
      lengths.push(untilMs - (minuteStart() + MINUTE_MS));
      vi.setSystemTime(untilMs);
    }
    for (let i = 0; i < 6; i++) await serveOne();
    expect(lengths).toEqual([5 * MINUTE_MS, 30 * MINUTE_MS, 4 * HOUR_MS, DAY_MS, 3 * DAY_MS, 3 * DAY_MS]);
    // From level 5, two weeks lead down to 3 and the next to 4; then three weeks to 1 and 2; none to 3; eight
    // to 0 and 1.
    lengths.length = 0;
    for (const days of [15, 23, 6, 60]) {
      vi.setSystemTime(Date.now() + days * DAY_MS);
      await serveOne();
    }
    expect(lengths).toEqual([DAY_MS, 30 * MINUTE_MS, 4 * HOUR_MS, 5 * MINUTE_MS]);
  });

  test.for(["", "nonsense", "{}", '{"level":9,"until_ms":1}', "null"])(
    "an invalid cooldown record %j in Redis is ignored",
    async (text) => {
      const redis = openRedis(endpoint.url, "token");
      await redis.send((pipeline) => pipeline.set(`ip:cooldown:health:${IP}`, text));
      expect(await burst(1)).toMatchObject([{ refusedBy: null, remaining: 119 }]);
      expect(await burst(1)).toMatchObject([{ refusedBy: null, remaining: 118 }]);
    },
  );
});

describe("valid keys behind an address in cooldown", () => {
  beforeEach(async () => {
    await minutesOfExcess(5, 100, "shared");
  });

  test.for(["known", "found before", "new"] as const)(
    "a valid key that is %s is admitted during a cooldown, even while other requests continue",
    async (kind) => {
      for (let minute = 0; minute < 5; minute++) {
        expect(new Set(refusals(await burst(300, "shared")))).toEqual(new Set(["throttled"]));
        expect(await burstWith(aKey("cred:1", kind), 1)).toMatchObject([{ refusedBy: null, retryAtMs: null }]);
        vi.setSystemTime(Date.now() + 50 * SECOND_MS);
      }
    },
  );

  test("unknown keys are throttled during a cooldown, and most of them cause no database lookup", async () => {
    const guesses = Array.from({ length: 1_000 }, (_, i) => aKey(`cred:guess-${i}`, "wrong"));
    const verdicts = (await Promise.all(guesses.map((guess) => burstWith(guess, 1)))).flat();
    expect(new Set(refusals(verdicts))).toEqual(new Set(["throttled"]));
    expect(guesses.reduce((sum, { lookedUp }) => sum + lookedUp, 0)).toBe(30);
    // A key that was found before is distinguished from a guess.
    expect(refusals(await burstWith(aKey("cred:1", "found before"), 1))).toEqual([null]);
    expect(refusals(await burstWith(aKey("cred:2", "new"), 1))).toEqual(["throttled"]);
    expect(refusals(await burstWith(aKey("cred:2", "new"), 1, "203.0.113.8"))).toEqual([null]);
  });

  test("a valid key is admitted during a cooldown while Redis is unavailable", async () => {
    await endpoint.stop();
    expect(refusals(await burst(1, "shared"))).toEqual(["throttled"]);
    expect(refusals(await burstWith(aKey("cred:1", "new"), 1))).toEqual([null]);
    endpoint = await startUpstash({ port: 0, token: "token" });
  });
});

describe("a window spent by others", () => {
  test.for(["known", "found before", "new"] as const)(
    "callers without a valid key who spend the window do not refuse a valid key that is %s",
    async (kind) => {
      await burst(1_200, "shared");
      expect(refusals(await burst(1, "shared"))).toEqual(["limited"]);
      expect(refusals(await burstWith(aKey("cred:guess", "wrong"), 1))).toEqual(["limited"]);
      expect(refusals(await burstWith(aKey("cred:1", kind), 1))).toEqual([null]);
      expect(refusals(await burstWith(aKey("cred:1", kind), 1, IP, anIsolate()))).toEqual([null]);
    },
  );

  test("requests with valid keys spend the window of callers without one", async () => {
    for (let sent = 0; sent < 1_200; sent += 20) await burstWith(aKey("cred:1", "known"), 20);
    // At most 19 requests are not counted yet.
    expect(admittedOf(await burst(30, "shared", IP, anIsolate()))).toBeLessThan(20);
  });
});

describe("keys that the isolate knows", () => {
  test("four isolates admit at most 100 requests more than the window each, of 2,000 at once", async () => {
    const isolates = [budget, anIsolate(), anIsolate(), anIsolate()];
    const burstOfAll = async (count: number): Promise<IpVerdict[]> => {
      const bursts = isolates.map((from, index) => burstWith(aKey(`cred:${index}`, "known"), count, IP, from));
      return (await Promise.all(bursts)).flat();
    };
    const atOnce = admittedOf(await burstOfAll(500));
    expect(atOnce).toBeGreaterThanOrEqual(1_200);
    // What an isolate still owes is counted with its next request.
    const next = admittedOf(await burstOfAll(100));
    expect(atOnce + next).toBeLessThanOrEqual(1_200 + 4 * 100);
    expect(new Set(refusals(await burstOfAll(100)))).toEqual(new Set(["limited"]));
  });

  test("an isolate asks once a second whether an address that was over can continue", async () => {
    await burstWith(aKey("cred:1", "known"), 1_300);
    const key = aKey("cred:2", "known");
    expect(admittedOf(await burstWith(key, 50))).toBe(0);
    vi.setSystemTime(Date.now() + SECOND_MS);
    expect(admittedOf(await burstWith(key, 50))).toBeLessThanOrEqual(1);
    // Two minutes later nothing of the window is left.
    vi.setSystemTime(Date.now() + 2 * MINUTE_MS);
    await burstWith(key, 1);
    expect(admittedOf(await burstWith(key, 50))).toBe(50);
  });

  test("no request waits for a Redis that does not respond", async () => {
    const { resolve, promise: never } = Promise.withResolvers<Response>();
    const spy = vi.spyOn(globalThis, "fetch").mockReturnValue(never);
    onTestFinished(() => {
      spy.mockRestore();
      resolve(new Response());
    });
    const key = aKey("cred:1", "known");
    for (let sent = 0; sent < 100; sent++)
      expect((await budget.spend(IP, "shared", requestWith(key))).refusedBy).toBeNull();
    expect(spy).toHaveBeenCalledTimes(1);
  });

  test("without Redis an isolate admits 1,200 requests a minute by itself", async () => {
    await endpoint.stop();
    const key = aKey("cred:1", "known");
    expect(admittedOf(await burstWith(key, 50))).toBe(50);
    expect(admittedOf(await burstWith(key, 1_300))).toBe(1_150);
    endpoint = await startUpstash({ port: 0, token: "token" });
  });

  test("twenty requests are counted with one HTTP request", async () => {
    const key = aKey("cred:1", "known");
    // Afterwards Redis has the limiter's script.
    await burst(1, "health");
    const spy = vi.spyOn(globalThis, "fetch");
    onTestFinished(() => spy.mockRestore());
    for (let sent = 0; sent < 59; sent++) await burstWith(key, 1);
    expect(spy).toHaveBeenCalledTimes(2);
    spy.mockRestore();
    expect(await burst(1, "shared")).toMatchObject([{ remaining: 1_200 - 40 - 1 }]);
  });
});

describe("requests without a key from an address far from its limit", () => {
  /** Sends a request while Redis does not respond, and lets Redis respond afterwards. */
  async function spendBeforeRedis(ip = IP): Promise<{ verdict: IpVerdict; isWaiting: boolean }> {
    const { resolve, promise } = Promise.withResolvers<void>();
    const original = globalThis.fetch;
    const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (...request) => {
      await promise;
      return original(...request);
    });
    let isWaiting = true;
    const spending = budget.spend(ip, "shared", requestWith(null)).finally(() => (isWaiting = false));
    await new Promise((done) => setImmediate(done));
    const result = { isWaiting };
    resolve();
    const verdict = await spending;
    await Promise.all(background.splice(0));
    spy.mockRestore();
    return { ...result, verdict };
  }

  test("the second request does not wait for Redis, and Redis has counted it afterwards", async () => {
    expect(await spendBeforeRedis()).toMatchObject({ isWaiting: true, verdict: { remaining: 1_199 } });
    expect(await spendBeforeRedis()).toEqual({
      isWaiting: false,
      verdict: { refusedBy: null, retryAtMs: null, limit: 1_200, remaining: 1_198, resetAtMs: START + MINUTE_MS },
    });
    expect(await burst(1, "shared", IP, anIsolate())).toMatchObject([{ remaining: 1_197 }]);
  });

  test("requests of one tick that do not wait are counted in two calls", async () => {
    await burst(1, "shared");
    const spy = vi.spyOn(globalThis, "fetch");
    await burst(100, "shared");
    expect(spy).toHaveBeenCalledTimes(2);
    spy.mockRestore();
    expect(await burst(1, "shared", IP, anIsolate())).toMatchObject([{ remaining: 1_200 - 102 }]);
  });

  test("a request waits five seconds after the last count", async () => {
    await burst(1, "shared");
    vi.setSystemTime(START + 4_999);
    expect((await spendBeforeRedis()).isWaiting).toBe(false);
    vi.setSystemTime(START + 4_999 + 5_000);
    expect((await spendBeforeRedis()).isWaiting).toBe(true);
  });

  test("a request waits in a new minute", async () => {
    vi.setSystemTime(START + MINUTE_MS - 1);
    await burst(1, "shared");
    expect((await spendBeforeRedis()).isWaiting).toBe(false);
    vi.setSystemTime(START + MINUTE_MS);
    expect((await spendBeforeRedis()).isWaiting).toBe(true);
  });

  test("a request waits where less than a quarter of the limit would be left", async () => {
    for (let sent = 0; sent < 9; sent++) await burst(100, "shared");
    expect(await spendBeforeRedis()).toMatchObject({ isWaiting: true, verdict: { remaining: 299 } });
    expect(await spendBeforeRedis()).toMatchObject({ isWaiting: true, verdict: { remaining: 298 } });
  });

  test("four isolates admit at most 100 requests more than the window each, of 2,000 at once", async () => {
    const isolates = Array.from({ length: 4 }, anIsolate);
    for (const isolate of isolates) await burst(1, "shared", IP, isolate);
    const verdicts = await Promise.all(isolates.map((isolate) => burst(500, "shared", IP, isolate)));
    expect(admittedOf(verdicts.flat())).toBeGreaterThanOrEqual(1_196);
    expect(admittedOf(verdicts.flat())).toBeLessThanOrEqual(1_196 + 400);
    // The settlement of one more request finds the window spent.
    await burst(1, "shared", IP, isolates[0]);
    expect(refusals(await burst(1, "shared", IP, isolates[0]))).toEqual(["limited"]);
  });

  test("an address in cooldown is refused by an isolate that admitted it a moment ago", async () => {
    const other = anIsolate();
    await minutesOfExcess(4, 100, "shared");
    vi.setSystemTime(minuteStart() + 2 * MINUTE_MS + 30 * SECOND_MS);
    await burst(1, "shared", IP, other);
    const untilMs = minuteStart() + 6 * MINUTE_MS;
    await burst(1_200, "shared");
    await burst(100, "shared");
    await burst(1, "shared", IP, other);
    expect(await burst(1, "shared", IP, other)).toMatchObject([{ refusedBy: "throttled", retryAtMs: untilMs }]);
  });
});

describe("refusals of a valid key", () => {
  /**
   * Simulates minutes in which other valid keys use up the window and the key is refused this often. Ends in the last
   * of them.
   */
  async function minutesBehindOthers(minutes: number, key: PresentedKey, refused: number): Promise<IpVerdict[]> {
    let last: IpVerdict[] = [];
    for (let minute = 0; minute < minutes; minute++) {
      vi.setSystemTime(minuteStart() + MINUTE_MS + 30 * SECOND_MS);
      // Another one each minute, so that none of them gets a cooldown.
      await burstWith(aKey(`cred:other-${minute}`, "known"), 1_200);
      last = await burstWith(key, refused);
      expect(admittedOf(last)).toBe(0);
    }
    return last;
  }

  test("refusals of a valid key begin no cooldown of its address", async () => {
    await minutesBehindOthers(5, aKey("cred:1", "known"), 300);
    vi.setSystemTime(minuteStart() + 3 * MINUTE_MS);
    expect(refusals(await burst(1, "shared"))).toEqual([null]);
  });

  test("a valid key in excess is throttled alone, at this address only, for five minutes", async () => {
    await minutesBehindOthers(5, aKey("cred:1", "known"), 200);
    const untilMs = minuteStart() + 6 * MINUTE_MS;
    expect(await burstWith(aKey("cred:1", "known"), 1)).toMatchObject([{ refusedBy: "throttled", retryAtMs: untilMs }]);
    vi.setSystemTime(untilMs - 1);
    const other = anIsolate();
    // Its first settlement finds the cooldown.
    await burstWith(aKey("cred:1", "known"), 20, IP, other);
    expect(refusals(await burstWith(aKey("cred:1", "known"), 1, IP, other))).toEqual(["throttled"]);
    expect(refusals(await burstWith(aKey("cred:2", "known"), 1))).toEqual([null]);
    expect(refusals(await burstWith(aKey("cred:1", "known"), 1, "203.0.113.8"))).toEqual([null]);
    vi.setSystemTime(untilMs);
    expect(refusals(await burstWith(aKey("cred:1", "known"), 1))).toEqual([null]);
  });

  test("a client within its user's budget is never throttled, even if other keys use up the window", async () => {
    expect(refusals(await minutesBehindOthers(12, aKey("cred:1", "known"), 199)).at(-1)).toBe("limited");
  });

  test("refusals of a wrong key count for its address", async () => {
    for (let minute = 0; minute < 5; minute++) {
      vi.setSystemTime(minuteStart() + MINUTE_MS + 30 * SECOND_MS);
      await burst(1_200, "shared");
      await burstWith(aKey("cred:1", "wrong"), 100);
    }
    expect(refusals(await burst(1, "shared"))).toEqual(["throttled"]);
  });
});

describe("budgets without Redis", () => {
  const port = () => Number(new URL(endpoint.url).port);

  test.for([
    ["shared", 1_200],
    ["health", 120],
  ] as const)(
    "without Redis each isolate admits the %s budget by itself, %i requests a minute",
    async ([name, limit]) => {
      await endpoint.stop();
      const verdicts = await burst(limit + 1, name);
      expect(admittedOf(verdicts)).toBe(limit);
      expect(verdicts.at(-1)).toMatchObject({
        refusedBy: "limited",
        limit,
        remaining: 0,
        retryAtMs: START + MINUTE_MS,
      });
      expect(refusals(await burst(1, name, "203.0.113.8"))).toEqual([null]);
      expect(admittedOf(await burst(limit + 1, name, IP, anIsolate()))).toBe(limit);
      vi.setSystemTime(START + MINUTE_MS);
      expect(refusals(await burst(1, name))).toEqual([null]);
      endpoint = await startUpstash({ port: 0, token: "token" });
    },
  );

  test("without Redis a cooldown known to the isolate holds, and excess begins no new one", async () => {
    await minutesOfExcess(5);
    const untilMs = minuteStart() + 6 * MINUTE_MS;
    await endpoint.stop();
    expect(await burst(1)).toMatchObject([{ refusedBy: "throttled", retryAtMs: untilMs }]);
    vi.setSystemTime(untilMs);
    expect(refusals(await minutesOfExcess(10)).at(-1)).toBe("limited");
    endpoint = await startUpstash({ port: 0, token: "token" });
  });

  test("Redis decides again a second after it is back", async () => {
    const before = await burst(1);
    expect(before).toMatchObject([{ remaining: 119 }]);
    const lost = port();
    await endpoint.stop();
    await burst(50);
    endpoint = await startUpstash({ port: lost, token: "token" });
    expect(await burst(1)).toMatchObject([{ remaining: 69 }]);
    vi.setSystemTime(START + SECOND_MS);
    expect(await burst(1)).toMatchObject([{ remaining: 119, resetAtMs: START + MINUTE_MS }]);
  });

  test("a Redis that refuses our token counts as unavailable", async () => {
    const refusedByRedis = new RedisIpBudget(openRedis(endpoint.url, "wrong"), Date.now);
    expect(admittedOf(await burst(130, "health", IP, refusedByRedis))).toBe(120);
  });

  test("a Redis that does not respond delays a request by at most a second, and the next one not at all", async () => {
    const { resolve, promise: never } = Promise.withResolvers<Response>();
    const spy = vi.spyOn(globalThis, "fetch").mockReturnValue(never);
    onTestFinished(() => {
      spy.mockRestore();
      resolve(new Response());
    });
    const timeouts = elapseTimersOf(1_000);
    expect(await burst(3)).toMatchObject([{ remaining: 119 }, { remaining: 118 }, { remaining: 117 }]);
    expect(await burst(1)).toMatchObject([{ remaining: 116 }]);
    expect(timeouts.started()).toBe(1);
    expect(spy).toHaveBeenCalledTimes(1);
  });

  test("a refusal that cannot be recorded is still a refusal", async () => {
    await burst(120);
    const original = globalThis.fetch;
    const spy = vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
      return String(init?.body).includes("incrby") ? Promise.reject(new TypeError("lost")) : original(input, init);
    });
    onTestFinished(() => spy.mockRestore());
    expect(refusals(await burst(20))).toEqual(Array(20).fill("limited"));
  });
});
