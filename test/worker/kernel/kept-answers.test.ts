import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import type { Database } from "../../../src/db/client.ts";
import { generationKey } from "../../../src/domain/generations.ts";
import { CacheUnavailable } from "../../../src/ports/cache.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { countStatements } from "../../support/count-statements.ts";
import { createTestDatabase } from "../../support/database.ts";
import { anOperationThatKeeps, type Ran } from "../../support/kernel/kept-operations.ts";
import { aKey } from "../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Answer, type Kernel } from "../../support/kernel/open-kernel.ts";
import { aWallet } from "../../support/seed/wallets.ts";

const PATH = "/api/v1/trader-count";
const RESTING = { restsOn: ["leaderboard", "trending"] } as const;

let db: Database;
let key: string;
let runtime: Runtime;
let sent: () => number;
let redisIsAway: boolean;

beforeEach(async () => {
  const database = await createTestDatabase();
  db = database.db;
  key = await aKey(db);
  const opened = openTestRuntime(database.databaseUrl);
  const counted = countStatements(opened.db);
  sent = counted.sent;
  redisIsAway = false;
  const { cache } = opened;
  const reach = <T>(ask: () => Promise<T>) => (redisIsAway ? Promise.reject(new CacheUnavailable("away")) : ask());
  runtime = {
    ...opened,
    db: counted.db,
    // Waits that are none would be over before what they wait for.
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    cache: {
      ...cache,
      getMany: (keys) => reach(() => cache.getMany(keys)),
      set: (name, value, seconds) => reach(() => cache.set(name, value, seconds)),
      fill: (name, value, seconds) => reach(() => cache.fill(name, value, seconds)),
    },
  };
});

afterEach(() => {
  vi.useRealTimers();
});

/** An isolate of its own that serves the operation. */
const anIsolate = (facts: Parameters<typeof anOperationThatKeeps>[0] = RESTING, ran?: Ran): Kernel =>
  openKernel(runtime, [anOperationThatKeeps(facts, ran)], key);

const publish = (word: string, name: (typeof RESTING.restsOn)[number] = "leaderboard") => runtime.cache.set(generationKey(name), word, 60);

const shown = ({ body }: Answer) => ({ traders: body.data.traders, cached: body.meta.cached });

/** Holds whoever comes to it until it is opened. */
function aGate() {
  const [held, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hold = () => {
    held.resolve();
    return gate.promise;
  };
  return { hold, isHeld: held.promise, letGo: () => gate.resolve() };
}

/** Moves the clock of the requests that follow, by seconds. */
function letPass(seconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: now + seconds * 1000 });
}

describe("an answer that rests on a generation", () => {
  test("is served again until another one is published, and not once more", async () => {
    const isolate = anIsolate();
    await publish("1");
    expect(shown(await isolate.send(PATH))).toEqual({ traders: 0, cached: false });
    await aWallet(db);
    expect(shown(await isolate.send(PATH))).toEqual({ traders: 0, cached: true });
    await publish("2");
    expect(shown(await isolate.send(PATH))).toEqual({ traders: 1, cached: false });
    expect(shown(await isolate.send(PATH))).toEqual({ traders: 1, cached: true });
  });

  test("nor from Redis to an isolate that has never seen it", async () => {
    await publish("1", "trending");
    await anIsolate().send(PATH);
    await aWallet(db);
    expect(shown(await anIsolate().send(PATH))).toEqual({ traders: 0, cached: true });
    await publish("2", "trending");
    expect(shown(await anIsolate().send(PATH))).toEqual({ traders: 1, cached: false });
  });

  test("is made anew for the first announcement there is, and for one that has got lost", async () => {
    const isolate = anIsolate();
    await isolate.send(PATH);
    await aWallet(db);
    await publish("1");
    expect(shown(await isolate.send(PATH))).toEqual({ traders: 1, cached: false });
    await aWallet(db);
    await runtime.cache.delete(generationKey("leaderboard"));
    expect(shown(await isolate.send(PATH))).toEqual({ traders: 2, cached: false });
  });

  test("is not what an If-None-Match is compared with once another one is published", async () => {
    const isolate = anIsolate();
    await publish("1");
    const headers = { "if-none-match": (await isolate.send(PATH)).headers.get("etag") ?? "" };
    expect((await isolate.send(PATH, { headers })).status).toBe(304);
    await aWallet(db);
    await publish("2");
    expect(shown(await isolate.send(PATH, { headers }))).toEqual({ traders: 1, cached: false });
  });

  test("is not served when its data was read before a publication that came while it was being made", async () => {
    const { hold, isHeld, letGo } = aGate();
    const isolate = anIsolate(RESTING, hold);
    await publish("1");
    const before = isolate.send(PATH);
    await isHeld;
    await aWallet(db);
    await publish("2");
    letGo();
    expect(shown(await before)).toEqual({ traders: 0, cached: false });
    expect(shown(await anIsolate().send(PATH))).toEqual({ traders: 1, cached: false });
    expect(shown(await isolate.send(PATH))).toMatchObject({ traders: 1 });
  });

  test("is not waited for by a request that knows of a later publication", async () => {
    const { hold, isHeld, letGo } = aGate();
    let runs = 0;
    const isolate = anIsolate(RESTING, () => (++runs === 1 ? hold() : undefined));
    await publish("1");
    const before = isolate.send(PATH);
    await isHeld;
    await aWallet(db);
    await publish("2");
    expect(shown(await isolate.send(PATH))).toEqual({ traders: 1, cached: false });
    letGo();
    await before;
    expect(shown(await isolate.send(PATH))).toMatchObject({ traders: 1 });
  });

  test("costs a request no more round trips than any other, and a warm one no body", async () => {
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
    const generations = RESTING.restsOn.map(generationKey);
    const credential = [expect.stringMatching(/^cred:/), expect.stringMatching(/^found:cred:/)];
    expect(trips).toEqual([
      [...credential, ...generations, expect.stringMatching(/^answer:/)],
      [...credential, ...generations],
    ]);
  });
});

describe("while Redis is away", () => {
  test("an isolate's own answer serves for its time, and no longer once Redis is back and tells of another", async () => {
    const isolate = anIsolate();
    await publish("1");
    await isolate.send(PATH);
    await aWallet(db);
    await publish("2");
    redisIsAway = true;
    expect(shown(await isolate.send(PATH))).toEqual({ traders: 0, cached: true });
    redisIsAway = false;
    expect(shown(await isolate.send(PATH))).toEqual({ traders: 1, cached: false });
  });

  test("an answer made meanwhile is not taken for one of the generation that stands afterwards", async () => {
    const isolate = anIsolate();
    redisIsAway = true;
    await isolate.send(PATH);
    await aWallet(db);
    expect(shown(await isolate.send(PATH))).toEqual({ traders: 0, cached: true });
    redisIsAway = false;
    expect(shown(await isolate.send(PATH))).toEqual({ traders: 1, cached: false });
  });

  test("its time is up as ever", async () => {
    const isolate = anIsolate();
    redisIsAway = true;
    await isolate.send(PATH);
    letPass(60);
    expect(shown(await isolate.send(PATH))).toEqual({ traders: 0, cached: false });
  });
});

describe("the age of an answer", () => {
  test("is in whole seconds since it was made, and one whose time is up is not served", async () => {
    const isolate = anIsolate({ ...RESTING, cacheSeconds: 10 });
    const { body } = await isolate.send(PATH);
    expect(body.meta).not.toHaveProperty("cache_age_s");
    letPass(9);
    expect((await isolate.send(PATH)).body.meta).toMatchObject({ cached: true, cache_age_s: 9 });
    letPass(2);
    const { meta } = (await isolate.send(PATH)).body;
    expect(meta.cached).toBe(false);
    expect(meta).not.toHaveProperty("cache_age_s");
  });

  test("counts from when it was made in another isolate, not from when Redis was given it", async () => {
    await anIsolate({ cacheSeconds: 5 }).send(PATH);
    letPass(4);
    expect((await anIsolate({ cacheSeconds: 5 }).send(PATH)).body.meta).toMatchObject({ cached: true, cache_age_s: 4 });
    // Redis still has it: for it no second has passed.
    letPass(2);
    expect((await anIsolate({ cacheSeconds: 5 }).send(PATH)).body.meta.cached).toBe(false);
  });
});

describe("fifty requests at once for what nobody has asked before", () => {
  const fifty = (isolate: Kernel) => Promise.all(Array.from({ length: 50 }, () => isolate.send(PATH)));

  test("run one statement, and all but one say that they were given another's answer", async () => {
    const isolate = anIsolate({}, () => new Promise((resolve) => setTimeout(resolve, 50)));
    // The credential is known from here on, so that the statements are the handler's.
    await openKernel(runtime, OPERATIONS, key).send("/api/v1/me");
    const before = sent();
    const answers = await fifty(isolate);
    expect(sent() - before).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(answers.filter(({ body }) => body.meta.cached)).toHaveLength(49);
    expect(answers.every(({ body }) => body.meta.cached === "cache_age_s" in body.meta)).toBe(true);
    expect(new Set(answers.map(({ body }) => body.meta.request_id)).size).toBe(50);
  });

  test("are all answered when the first has gone with its client", async () => {
    let runs = 0;
    const isolate = anIsolate({}, () => (++runs === 1 ? new Promise<void>(() => undefined) : undefined));
    void isolate.send(PATH);
    await vi.waitFor(() => expect(runs).toBe(1));
    const answers = await fifty(isolate);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(runs).toBe(2);
  });

  test("do not share an error of the first", async () => {
    let runs = 0;
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const isolate = anIsolate({}, () => (++runs === 1 ? Promise.reject(new Error("mine")) : undefined));
    const answers = await fifty(isolate);
    expect(answers.filter(({ status }) => status === 500)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
  });
});

describe("nobody is given what was meant for somebody else:", () => {
  test("whoever makes an answer for all is not told who asks", async () => {
    expect((await anIsolate({}).send(PATH)).body.data.told_of_caller).toBe(false);
    expect((await anIsolate({ cacheSeconds: 0 }).send(PATH)).body.data.told_of_caller).toBe(true);
  });

  test("a request without a good key gets nothing of what is kept", async () => {
    const isolate = anIsolate();
    await isolate.send(PATH);
    for (const other of [null, `svc_sk_live_${"0".repeat(64)}`]) expect((await isolate.send(PATH, { key: other })).status).toBe(401);
  });

  test("the work for others is not lost with the client that it was begun for", async () => {
    const { hold, isHeld, letGo } = aGate();
    const app = createApp(runtime, [anOperationThatKeeps({}, hold)]);
    const later: Promise<unknown>[] = [];
    const context = { waitUntil: (work: Promise<unknown>) => void later.push(work), passThroughOnException: () => undefined, props: {} };
    const answer = app.fetch(new Request(`http://api.test${PATH}`, { headers: { authorization: `Bearer ${key}` } }), {}, context);
    await isHeld;
    // What is left for later includes the answer itself.
    expect(await Promise.race([Promise.all(later), new Promise((resolve) => setTimeout(() => resolve("under way"), 300))])).toBe(
      "under way",
    );
    letGo();
    await answer;
    await Promise.all(later);
    expect((await anIsolate({}).send(PATH)).body.meta.cached).toBe(true);
  });
});
