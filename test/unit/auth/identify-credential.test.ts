import { expect, test } from "vitest";
import { identifyCredential } from "../../../src/auth/identify-credential.ts";
import { KnownCredentials } from "../../../src/auth/known-credentials.ts";
import type { Database } from "../../../src/db/client.ts";
import type { Cache } from "../../../src/platform/redis/cache.ts";

const ROW = {
  hash: "one",
  credential_kind: "api_key",
  key_id: 1,
  account_id: 7,
  scopes: ["read"],
  resource: "api",
  expires_ms: null,
  revoked: false,
  plan: "pro",
  state: "active",
  pay_as_you_go: false,
};
const IDENTITY = { hash: "one", accountId: 7 };
const EMPTY_CACHE: Cache = {
  getMany: async (keys) => keys.map(() => null),
  set: async () => undefined,
  delete: async () => undefined,
  ping: async () => undefined,
};

/** An isolate whose n-th statement gets the n-th answer. */
function isolateWith(answers: readonly (() => Promise<unknown>)[], wait = (_ms: number) => Promise.resolve()) {
  let statements = 0;
  const execute = () => answers[statements++]?.() ?? Promise.reject(new Error("one statement too many"));
  const db = { execute } as unknown as Database;
  const runtime = { credentials: new KnownCredentials(), db, cache: EMPTY_CACHE, wait };
  const context = { runtime, now: new Date(0), waitUntil: () => undefined };
  return {
    identify: (hash: string) => identifyCredential([hash], context, () => true),
    count: () => statements,
  };
}

const found = async () => ({ rows: [ROW] });
const away = async () => {
  throw new Error("away");
};

test("concurrent requests with one credential share one look-up", async () => {
  const { identify, count } = isolateWith([found]);
  const identities = await Promise.all([1, 2, 3].map(() => identify("one")));
  expect(identities).toEqual([IDENTITY, IDENTITY, IDENTITY]);
  expect(count()).toBe(1);
});

test("requests with different credentials do not wait for each other", async () => {
  const { identify } = isolateWith([() => new Promise(() => undefined), found]);
  void identify("other");
  expect(await identify("one")).toEqual(IDENTITY);
});

test("a failed look-up fails for all requests that wait for it, and the next request looks up again", async () => {
  const { identify, count } = isolateWith([away, found]);
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => identify("one")));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(count()).toBe(1);
  expect(await identify("one")).toEqual(IDENTITY);
  expect(count()).toBe(2);
});

test("an unknown credential is unknown to all requests that wait for its look-up", async () => {
  const { identify, count } = isolateWith([async () => ({ rows: [] })]);
  expect(await Promise.all([1, 2, 3].map(() => identify("one")))).toEqual([null, null, null]);
  expect(count()).toBe(1);
});

test("when the look-up of a cancelled request never settles, the waiting requests share another one", async () => {
  let waitedMs = 0;
  const wait = async (ms: number) => void (waitedMs += ms);
  const { identify, count } = isolateWith([() => new Promise(() => undefined), found], wait);
  void identify("one");
  expect(await Promise.all([identify("one"), identify("one")])).toEqual([IDENTITY, IDENTITY]);
  expect(count()).toBe(2);
  // Two requests that watched for 12 seconds each.
  expect(waitedMs).toBeGreaterThanOrEqual(24_000);
  expect(waitedMs).toBeLessThan(24_600);
});

test("a request that watches a look-up goes on from its own timer, never from the settled look-up", async () => {
  const timers: (() => void)[] = [];
  const wait = () => new Promise<void>((resolve) => void timers.push(resolve));
  let answer: (rows: unknown) => void = () => undefined;
  const { identify } = isolateWith([() => new Promise((resolve) => (answer = resolve))], wait);
  const first = identify("one");
  let isThrough = false;
  const second = identify("one").finally(() => (isThrough = true));
  answer({ rows: [ROW] });
  expect(await first).toEqual(IDENTITY);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect([isThrough, timers.length]).toEqual([false, 1]);
  timers[0]?.();
  expect(await second).toEqual(IDENTITY);
});
