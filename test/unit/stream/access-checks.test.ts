import { beforeEach, describe, expect, test, vi } from "vitest";
import { AccessChecks } from "../../../durable-objects/stream-fanout/access-checks.ts";
import type { AccessCheck, AccessDecision } from "../../../src/domain/accounts/decide-access.ts";
import type { Subscription } from "../../../src/stream/stream-messages.ts";
import { flushPromises, ManualClock } from "../../support/stream/stream-connection-under-test.ts";

const REFUSED: AccessDecision = { kind: "refused", reason: "invalid_api_key" };
const GRANTED: AccessDecision = {
  kind: "granted",
  principal: {
    ...{ accountId: 1, credentialKind: "api_key", keyId: 1, plan: "pro", entitledPlan: "pro", scopes: ["read"] },
    payAsYouGo: false,
  },
};

let clock: ManualClock;
let events: unknown[];
let calls: { accountId: number; hashes: string[]; atMs: number }[];
let answer: (accountId: number, checks: readonly AccessCheck[]) => Promise<(AccessDecision | null)[]>;
let checks: AccessChecks<string>;

/** Checks whose random first delay is `drawn` of 30 seconds. */
const openChecks = (drawn = 0.5) =>
  new AccessChecks<string>({
    authorizeAll: (accountId, asked) => {
      calls.push({ accountId, hashes: asked.map(({ hash }) => hash), atMs: clock.now() });
      return answer(accountId, asked);
    },
    onConfirmed: (socket, checkedMs) => void events.push([socket, "confirmed", checkedMs]),
    onRefused: (socket, reason) => {
      events.push([socket, reason]);
      checks.remove(socket);
    },
    clock,
    random: () => drawn,
  });

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  clock = new ManualClock();
  events = [];
  calls = [];
  answer = async (_, asked) => asked.map(() => GRANTED);
  checks = openChecks();
});

const subscriptionOf = (accountId: number, hash: string, isChecked = true): Subscription => ({
  ...{ connection: "c", keyId: 1, accountId, shard: "1", cursor: null },
  filter: { types: null, conditionId: null, minGrade: null, wallet: null, minSizeMicro: null },
  ...(isChecked
    ? { access: { hash, requirement: { scope: "read", plan: "pro" }, checkedMs: clock.now() } }
    : undefined),
});

/** Lets time pass; runs when `nextRunMs` says so, as the alarm does. */
async function pass(ms: number): Promise<void> {
  const endMs = clock.now() + ms;
  for (let nextMs = checks.nextRunMs(); nextMs !== null && nextMs <= endMs; nextMs = checks.nextRunMs()) {
    await clock.advance(Math.max(0, nextMs - clock.now()));
    void checks.run();
    await flushPromises();
  }
  await clock.advance(endMs - clock.now());
}

test("an account is asked once in 30 seconds about all its connections, each credential once", async () => {
  for (let n = 0; n < 25; n++) checks.add(`a${n}`, subscriptionOf(1, `hash ${n % 5}`), null);
  await pass(15_000);
  expect(calls).toEqual([
    { accountId: 1, hashes: ["hash 0", "hash 1", "hash 2", "hash 3", "hash 4"], atMs: 1_015_000 },
  ]);
  expect(events).toHaveLength(25);
  await pass(300_000);
  expect(calls.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 11 }, (_, n) => 1_015_000 + n * 30_000));
});

test("a connection that joins later is checked with its account, without another call", async () => {
  checks.add("a", subscriptionOf(1, "one"), null);
  await pass(20_000);
  checks.add("b", subscriptionOf(1, "two"), null);
  await pass(25_000);
  expect(calls.map(({ hashes, atMs }) => [hashes, atMs])).toEqual([
    [["one"], 1_015_000],
    [["one", "two"], 1_045_000],
  ]);
});

test("a connection whose Worker checks it is not checked", async () => {
  checks.add("a", subscriptionOf(1, "one", false), null);
  expect([checks.nextRunMs(), checks.dueMsOf("a")]).toEqual([null, undefined]);
});

test("a refusal ends only the connections of its credential", async () => {
  answer = async (_, asked) => asked.map(({ hash }) => (hash === "revoked" ? REFUSED : GRANTED));
  for (const [socket, hash] of Object.entries({ a: "valid", b: "revoked", c: "revoked" }))
    checks.add(socket, subscriptionOf(1, hash), null);
  await pass(15_000);
  expect(events).toEqual([
    ["a", "confirmed", 1_015_000],
    ["b", "invalid_api_key"],
    ["c", "invalid_api_key"],
  ]);
  await pass(30_000);
  expect(calls.map(({ hashes }) => hashes)).toEqual([["valid", "revoked"], ["valid"]]);
});

test("a connection that was evicted with its object is due as before", async () => {
  checks.add("a", subscriptionOf(1, "one"), 1_004_000);
  await pass(4_000);
  expect(calls).toHaveLength(1);
  expect(checks.dueMsOf("a")).toBe(1_034_000);
});

describe("a check that fails", () => {
  test.each<[string, typeof answer]>([
    ["throws", () => Promise.reject(new Error("the meter is away"))],
    ["does not return", () => new Promise(() => undefined)],
    ["cannot read the record", async () => [null]],
  ])("an account whose check %s is checked again every ten seconds, and its connections stay", async (_, failing) => {
    answer = failing;
    checks.add("a", subscriptionOf(1, "one"), null);
    await pass(46_000);
    expect(calls.map(({ atMs }) => atMs)).toEqual([1_015_000, 1_025_000, 1_035_000, 1_045_000]);
    answer = async () => [GRANTED];
    await pass(10_000);
    expect(events).toEqual([["a", "confirmed", 1_055_000]]);
    expect(checks.dueMsOf("a")).toBe(1_085_000);
  });

  test("an account whose check fails delays no other account", async () => {
    answer = (accountId) => (accountId === 1 ? new Promise(() => undefined) : Promise.resolve([GRANTED]));
    checks.add("a", subscriptionOf(1, "one"), null);
    checks.add("b", subscriptionOf(2, "two"), null);
    await pass(15_000);
    expect(events).toEqual([["b", "confirmed", 1_015_000]]);
  });
});

test("accounts that connect together are spread over 30 seconds, and a refusal is found within 32.5 seconds", async () => {
  let drawn = 0;
  const spread = new AccessChecks<string>({
    authorizeAll: async (accountId, asked) => {
      calls.push({ accountId, hashes: [], atMs: clock.now() });
      return asked.map(() => GRANTED);
    },
    onConfirmed: () => undefined,
    onRefused: () => undefined,
    clock,
    random: () => (drawn += 0.618_034) % 1,
  });
  checks = spread;
  for (let account = 1; account <= 240; account++) checks.add(`${account}`, subscriptionOf(account, "one"), null);
  await pass(150_000);
  const runs = Map.groupBy(calls, ({ atMs }) => atMs);
  // A twelfth to a quarter of the accounts: the even share of a run is a sixth.
  for (const { length } of [...runs.values()].slice(1)) expect([length > 20, length < 60]).toEqual([true, true]);
  for (const times of Map.groupBy(calls, ({ accountId }) => accountId).values()) {
    const gaps = times.map(({ atMs }, n) => atMs - (times[n - 1]?.atMs ?? 1_000_000));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(32_500);
    expect(Math.min(...gaps.slice(1))).toBeGreaterThanOrEqual(27_500);
  }
});

test("at most 64 accounts are in check at a time, and all of them are checked", async () => {
  let open = 0;
  let most = 0;
  answer = async () => {
    most = Math.max(most, ++open);
    await clock.wait(50);
    open--;
    return [GRANTED];
  };
  for (let account = 1; account <= 200; account++) checks.add(`${account}`, subscriptionOf(account, "one"), null);
  await pass(15_000);
  await clock.advance(1_000);
  expect(most).toBe(64);
  expect(events).toHaveLength(200);
});
