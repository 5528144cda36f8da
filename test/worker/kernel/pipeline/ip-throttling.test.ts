import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import type { Runtime } from "../../../../src/runtime.ts";
import { countStatements } from "../../../support/database/count-statements.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { expectApiError } from "../../../support/kernel/api-error.ts";
import { aKey, anUnknownKey } from "../../../support/kernel/keys.ts";
import {
  openKernel,
  openLimitedRuntime,
  type KernelResponse,
  type Kernel,
} from "../../../support/kernel/open-kernel.ts";
import { MINUTE_MS } from "../../../../src/scoring/utc-calendar.ts";
import { KEYLESS } from "../../../support/api/unlimited.ts";

/*
 * Abuse by strangers behind an IP address, and its effect on key holders there. The clock is fake; the rest
 * is real.
 */
const THROTTLED = { status: 429, code: "rate_limited", reason: "ip_throttled", param: null };

let api: Kernel;
let runtime: Runtime;
let statements: () => number;
/** A key whose account has all its requests of the minute left. */
let key: string;
/** An address that no other test uses. */
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

const requestWith = (path: string, presented: string | null = null): Promise<KernelResponse> =>
  api.send(path, { key: presented, headers: { "cf-connecting-ip": ip } });

const flood = (count: number, path: string, presentKey: (index: number) => string | null): Promise<KernelResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => requestWith(path, presentKey(index))));

/**
 * Sends one flood in each of six consecutive minutes.
 *
 * @param beforehand spends the rest of the address's budget for the minute
 * @returns the last response
 */
async function sixMinutesOf(
  count: number,
  path: string,
  presentKey: (index: number) => string | null,
  beforehand: () => Promise<unknown> = async () => undefined,
): Promise<KernelResponse> {
  let last: KernelResponse | undefined;
  for (let minute = 0; minute < 6; minute++) {
    if (minute > 0) vi.setSystemTime(Date.now() + MINUTE_MS);
    await beforehand();
    last = (await flood(count, path, presentKey)).at(-1);
  }
  if (last === undefined) throw new Error("nothing was sent");
  return last;
}

/** Spends the rest of the shared budget directly, in one round trip to Redis. */
async function spendShared(): Promise<void> {
  const { remaining } = await runtime.ipBudget.spend(ip, "shared", KEYLESS);
  await Promise.all(Array.from({ length: remaining }, () => runtime.ipBudget.spend(ip, "shared", KEYLESS)));
}

describe("six minutes of abuse from one address", () => {
  test("240 health requests a minute throttle the address for health only", async () => {
    expectApiError(await sixMinutesOf(240, "/api/v1/health", () => null), THROTTLED);
    expect((await requestWith("/api/v1/large-trades", key)).status).toBe(200);
    expect((await requestWith("/api/v1/coverage")).status).toBe(200);
    expectApiError(await requestWith("/api/v1/health"), THROTTLED);
  });

  test("requests with unknown keys throttle strangers on the address but no valid key, cached or new", async () => {
    const used = await requestWith("/api/v1/large-trades", key);
    expect(used.status).toBe(200);
    const guesses = Array.from({ length: 20 }, anUnknownKey);
    const last = await sixMinutesOf(
      120,
      "/api/v1/large-trades",
      (index) => guesses[index % guesses.length] ?? null,
      spendShared,
    );
    expectApiError(last, THROTTLED);
    expectApiError(await requestWith("/api/v1/coverage"), THROTTLED);

    vi.setSystemTime(Date.now() + MINUTE_MS);
    const before = statements();
    // Every key is different, so that Redis has no record of it.
    const refused = await flood(100, "/api/v1/large-trades", anUnknownKey);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
    expect(statements() - before).toBe(30);

    // The cached record of the key has expired, and the address has no key look-ups left in this minute.
    const response = await requestWith("/api/v1/large-trades", key);
    expect(response.status).toBe(200);
    expect(response.headers.get("ratelimit-limit")).toBe("100");
    vi.setSystemTime(Date.now() + MINUTE_MS);
    expect((await requestWith("/api/v1/large-trades", await aKey(runtime.db))).status).toBe(200);
  });
});

test("a key whose account is over its window gets that refusal behind a throttled address", async () => {
  expectApiError(await sixMinutesOf(120, "/api/v1/coverage", () => null, spendShared), THROTTLED);
  expect((await requestWith("/api/v1/me", key)).status).toBe(200);
  const responses = await flood(100, "/api/v1/me", () => key);
  const refused = responses.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(1);
  for (const response of refused)
    expectApiError(response, { status: 429, code: "rate_limited", reason: null, param: null });
});
