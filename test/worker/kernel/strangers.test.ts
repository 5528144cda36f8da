import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { OPERATIONS } from "../../../src/operations/index.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { countStatements } from "../../support/count-statements.ts";
import { createTestDatabase } from "../../support/database.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { aKey, anUnknownKey } from "../../support/kernel/keys.ts";
import { openKernel, openLimitedRuntime, type Answer, type Kernel } from "../../support/kernel/open-kernel.ts";

/*
 * What strangers behind an address do, and what its key holders see of it. The clock is set by hand; everything else is real.
 */
const MINUTE_MS = 60_000;
const THROTTLED = { status: 429, code: "rate_limited", reason: "ip_throttled", param: null };

let api: Kernel;
let runtime: Runtime;
let statements: () => number;
/** Of an account with all its requests of the minute. */
let key: string;
/** An address that no other test has. */
let ip: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 20_000 });
  const { db, databaseUrl } = await createTestDatabase();
  const opened = openLimitedRuntime(databaseUrl);
  const counted = countStatements(opened.db);
  statements = counted.sent;
  runtime = { ...opened, db: counted.db };
  api = openKernel(runtime, OPERATIONS);
  key = await aKey(db);
  ip = `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`;
});

afterEach(() => {
  vi.useRealTimers();
});

const ask = (path: string, presented: string | null = null): Promise<Answer> =>
  api.send(path, { key: presented, headers: { "cf-connecting-ip": ip } });

const flood = (count: number, path: string, presentKey: (index: number) => string | null): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(path, presentKey(index))));

/**
 * Six minutes one after the other, each with one flood.
 *
 * @param beforehand spends what the address has left of a minute
 * @returns the last answer
 */
async function sixMinutesOf(
  count: number,
  path: string,
  presentKey: (index: number) => string | null,
  beforehand: () => Promise<unknown> = async () => undefined,
): Promise<Answer> {
  let last: Answer | undefined;
  for (let minute = 0; minute < 6; minute++) {
    if (minute > 0) vi.setSystemTime(Date.now() + MINUTE_MS);
    await beforehand();
    last = (await flood(count, path, presentKey)).at(-1);
  }
  if (last === undefined) throw new Error("nothing was sent");
  return last;
}

/** As so many requests would, in one round trip to Redis. */
async function spendShared(): Promise<void> {
  const { remaining } = await runtime.ipBudget.spend(ip, "shared");
  await Promise.all(Array.from({ length: remaining }, () => runtime.ipBudget.spend(ip, "shared")));
}

describe("six minutes of strangers", () => {
  test("asking for health 240 times a minute throttle health behind their address, and nothing else", async () => {
    expectApiError(await sixMinutesOf(240, "/api/v1/health", () => null), THROTTLED);
    expect((await ask("/api/v1/large-trades", key)).status).toBe(200);
    expect((await ask("/api/v1/coverage")).status).toBe(200);
    expectApiError(await ask("/api/v1/health"), THROTTLED);
  });

  test("with bad keys throttle strangers behind their address, and no valid key, new or used before", async () => {
    const used = await ask("/api/v1/large-trades", key);
    expect(used.status).toBe(200);
    const guesses = Array.from({ length: 20 }, anUnknownKey);
    const last = await sixMinutesOf(120, "/api/v1/large-trades", (index) => guesses[index % guesses.length] ?? null, spendShared);
    expectApiError(last, THROTTLED);
    expectApiError(await ask("/api/v1/coverage"), THROTTLED);

    vi.setSystemTime(Date.now() + MINUTE_MS);
    const before = statements();
    // Each key is another one, so that no record of it can be in Redis.
    const refused = await flood(100, "/api/v1/large-trades", anUnknownKey);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
    expect(statements() - before).toBe(30);

    // The record of the key has ended, and its address has no look-up left for guesses.
    const answer = await ask("/api/v1/large-trades", key);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("ratelimit-limit")).toBe("100");
    vi.setSystemTime(Date.now() + MINUTE_MS);
    expect((await ask("/api/v1/large-trades", await aKey(runtime.db))).status).toBe(200);
  });
});

test("a key whose user has spent the minute is refused by that budget behind an address in cooldown", async () => {
  expectApiError(await sixMinutesOf(120, "/api/v1/coverage", () => null, spendShared), THROTTLED);
  expect((await ask("/api/v1/me", key)).status).toBe(200);
  const answers = await flood(100, "/api/v1/me", () => key);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(1);
  for (const answer of refused) expectApiError(answer, { status: 429, code: "rate_limited", reason: null, param: null });
});
