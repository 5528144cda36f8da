import { neonConfig } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { OperationContext } from "../../../../src/context.ts";
import { defineOperation } from "../../../../src/api/operation.ts";
import type { Database } from "../../../../src/db/client.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { expectApiError, expectRequestId, type ExpectedError } from "../../../support/kernel/api-error.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type KernelResponse } from "../../../support/kernel/open-kernel.ts";
import { PLAIN_OPERATION } from "../../../support/kernel/plain-operation.ts";
import { METER_AWAY } from "../../../support/api/unlimited.ts";

/** No server listens on this port. */
const CLOSED = "http://127.0.0.1:1";
const DATABASE_AWAY = { NEON_HTTP_ENDPOINT: `${CLOSED}/sql` };
const REDIS_AWAY = { UPSTASH_REDIS_REST_URL: CLOSED };

const UNAVAILABLE: ExpectedError = {
  status: 503,
  code: "rate_limit_unavailable",
  reason: "database_unavailable",
  param: null,
};
const INTERNAL: ExpectedError = { status: 500, code: "internal_error", reason: null, param: null };

/** An operation whose data comes from Postgres. */
const computes = (id: string, cacheSeconds: number) =>
  defineOperation({
    ...PLAIN_OPERATION,
    kind: "single",
    id,
    path: `/api/v1/${id}`,
    access: "key",
    cacheSeconds,
    conditional: true,
    object: "sum",
    data: z.unknown(),
    meta: { computed_by: z.string() },
    handle: async (_input, context) => {
      const { rows } = await context.db.execute(sql`select 40 + 2 as sum, gen_random_uuid() as nonce`);
      return { data: rows[0], meta: { computed_by: "postgres" } };
    },
  });

const failingBy = (handle: (context: OperationContext) => Promise<{ data: unknown }>) =>
  defineOperation({
    ...PLAIN_OPERATION,
    kind: "single",
    id: "failing",
    path: "/api/v1/failing",
    object: "x",
    data: z.unknown(),
    handle: (_input, context) => handle(context),
  });

const TEST_OPERATIONS = [computes("sum", 0), computes("cached-sum", 60)];

let databaseUrl: string;
let db: Database;
let key: string;

beforeEach(async () => {
  ({ databaseUrl, db } = await createTestDatabase());
  key = await aKey(db);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

afterEach(() => {
  // The driver's endpoint is global to the isolate: restore the real one for the next test.
  openTestRuntime(databaseUrl);
});

/** The response of a new isolate, with these dependencies unreachable. */
function requestWith(path: string, away: Record<string, string> = {}): Promise<KernelResponse> {
  return openKernel(openTestRuntime(databaseUrl, away), [...OPERATIONS, ...TEST_OPERATIONS], key).send(path);
}

function expectUnavailable(response: KernelResponse): void {
  expectApiError(response, UNAVAILABLE);
  const seconds = Number(response.headers.get("retry-after"));
  expect(seconds).toBeGreaterThanOrEqual(1);
  const wait = Date.parse(response.body.error.retry_at) - Date.now();
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(seconds * 1000);
  expect(response.text).not.toMatch(/select|127\.0\.0\.1|neon/i);
}

describe("database outage", () => {
  test.for([
    "/api/v1/large-trades",
    "/api/v1/leaderboard",
    "/api/v1/markets/search?q=rain",
    "/api/v1/large-trades/1",
    "/api/v1/sum",
  ])("%s returns 503 database_unavailable with a retry time during a database outage", async (path) =>
    expectUnavailable(await requestWith(path, DATABASE_AWAY)),
  );

  test("a caller with a cached credential gets the same 503 for uncached data", async () => {
    await requestWith("/api/v1/sum");
    expectUnavailable(await requestWith("/api/v1/sum", DATABASE_AWAY));
  });

  test("a response that another isolate cached in Redis is served during a database outage", async () => {
    const computed = await requestWith("/api/v1/cached-sum");
    const cached = await requestWith("/api/v1/cached-sum", DATABASE_AWAY);
    expect(cached.status).toBe(200);
    expect({ ...cached.body, meta: null }).toEqual({ ...computed.body, meta: null });
    expect(cached.headers.get("etag")).toBe(computed.headers.get("etag"));
    expect(computed.body.meta).toMatchObject({ cached: false, computed_by: "postgres" });
    expect(computed.body.meta).not.toHaveProperty("cache_age_s");
    expect(cached.body.meta).toMatchObject({ cached: true, computed_by: "postgres", cost: 1 });
    expect(cached.body.meta.cache_age_s).toBeGreaterThanOrEqual(0);
    expect(cached.body.meta.request_id).not.toBe(computed.body.meta.request_id);
    expectRequestId(cached);
  });

  test("an operation without database access works during a database outage", async () => {
    expect((await requestWith("/api/v1", DATABASE_AWAY)).status).toBe(200);
    expect((await requestWith("/api/v1/coverage", DATABASE_AWAY)).status).toBe(200);
  });

  test.for([500, 502, 503, 504])(
    "a %i of the proxy in front of the database returns 503 database_unavailable",
    async (status) => {
      await requestWith("/api/v1/sum");
      const answering = vi.spyOn(neonConfig, "fetchFunction", "get");
      answering.mockReturnValue(async () => new Response("upstream connect error", { status }));
      const response = await requestWith("/api/v1/sum").finally(() => answering.mockRestore());
      expectUnavailable(response);
    },
  );

  test("health reports a database outage", async () => {
    const response = await requestWith("/api/v1/health", DATABASE_AWAY);
    expect(response.status).toBe(200);
    expect(response.body.data).toMatchObject({ status: "down", db: false, cache: true });
  });
});

describe("Redis outage", () => {
  test("keys are accepted and responses computed during a Redis outage", async () => {
    const response = await requestWith("/api/v1/cached-sum", REDIS_AWAY);
    expect(response.status).toBe(200);
    expect(response.body.data.sum).toBe(42);
    expect(response.body.meta.cached).toBe(false);
  });

  test("an invalid key is still refused during a Redis outage", async () => {
    key = `svc_sk_live_${"0".repeat(64)}`;
    expect((await requestWith("/api/v1/sum", REDIS_AWAY)).status).toBe(401);
  });

  test("health reports a Redis outage", async () => {
    expect((await requestWith("/api/v1/health", REDIS_AWAY)).body.data).toMatchObject({ db: true, cache: false });
  });

  test("a Redis that refuses our token counts as unreachable", async () => {
    expect((await requestWith("/api/v1/sum", { UPSTASH_REDIS_REST_TOKEN: "wrong" })).status).toBe(200);
  });

  test("an outage of both Redis and the database returns database_unavailable", async () => {
    expectUnavailable(await requestWith("/api/v1/sum", { ...REDIS_AWAY, ...DATABASE_AWAY }));
  });
});

describe("invalid cache entry", () => {
  test.for(["", "nonsense", "{}", '{"kind":"key"}', "1\n2", "a\nb\nc\nd"])(
    "the invalid cache entry %j is treated as a miss",
    async (text) => {
      const requestedKeys: string[] = [];
      const runtime = openTestRuntime(databaseUrl);
      const get = async (requested: string) => {
        requestedKeys.push(requested);
        return text;
      };
      const sharedResponses = { ...runtime.sharedResponses, get };
      const kernel = openKernel({ ...runtime, sharedResponses }, TEST_OPERATIONS, key);
      const response = await kernel.send("/api/v1/cached-sum");
      expect(response.status).toBe(200);
      expect(response.body.data.sum).toBe(42);
      expect(requestedKeys).toHaveLength(1);
    },
  );
});

test("an isolate serves a repeated request from memory and asks Redis nothing", async () => {
  const { cache, ...runtime } = openTestRuntime(databaseUrl);
  const requestedKeys: string[] = [];
  const getMany = (keys: readonly string[]) => {
    requestedKeys.push(...keys);
    return cache.getMany(keys);
  };
  const kernel = openKernel({ ...runtime, cache: { ...cache, getMany } }, TEST_OPERATIONS, key);
  const computed = await kernel.send("/api/v1/cached-sum");
  requestedKeys.length = 0;
  const again = await kernel.send("/api/v1/cached-sum");
  expect(requestedKeys).toEqual([]);
  expect(again.body.data).toEqual(computed.body.data);
  expect(again.body.meta.cached).toBe(true);
  expect((await kernel.send("/api/v1/cached-sum", { key: null })).status).toBe(401);
});

describe("meter outage", () => {
  const sendWithoutMeter = (path: string, away: Record<string, string> = {}) =>
    openKernel(
      { ...openTestRuntime(databaseUrl, away), meter: METER_AWAY },
      [...OPERATIONS, ...TEST_OPERATIONS],
      key,
    ).send(path);
  const NOT_COUNTED: ExpectedError = { ...UNAVAILABLE, reason: "request_accounting_unavailable" };

  test("no request with a key is admitted without the meter, cached or not", async () => {
    await requestWith("/api/v1/cached-sum");
    for (const path of ["/api/v1/sum", "/api/v1/cached-sum"]) expectApiError(await sendWithoutMeter(path), NOT_COUNTED);
    expectApiError(await sendWithoutMeter("/api/v1/sum", REDIS_AWAY), NOT_COUNTED);
  });

  test("public operations work without the meter", async () => {
    expect((await sendWithoutMeter("/api/v1/coverage")).status).toBe(200);
  });
});

describe("errors thrown by a handler", () => {
  const SECRET = "postgres://admin:hunter2@db.internal";
  const thrown: [string, () => unknown][] = [
    ["an Error", () => new Error(SECRET)],
    ["an Error with a cause", () => new Error(SECRET, { cause: new TypeError(SECRET) })],
    [
      "an Error that imitates an ApiError",
      () => Object.assign(new Error(SECRET), { name: "ApiError", status: 200, detail: { message: SECRET } }),
    ],
    ["a string", () => SECRET],
    ["an object", () => ({ message: SECRET, status: 418 })],
    ["a Response", () => new Response(SECRET, { status: 418 })],
    ["null", () => null],
    ["undefined", () => undefined],
  ];

  test.for(thrown)("a handler that throws %s returns internal_error and logs the cause", async ([, make]) => {
    const failing = failingBy(() => Promise.reject(make()));
    const log = vi.spyOn(console, "error");
    const response = await openKernel(openTestRuntime(databaseUrl), [failing]).send("/api/v1/failing");
    expectApiError(response, INTERNAL);
    expect(response.headers.has("retry-after")).toBe(false);
    expect(response.text).not.toContain("hunter2");
    expect(log).toHaveBeenCalledWith(expect.stringContaining(response.body.meta.request_id));
  });

  test("data that cannot be written as JSON returns internal_error", async () => {
    const failing = failingBy(async () => ({ data: { size: 12n } }));
    expectApiError(await openKernel(openTestRuntime(databaseUrl), [failing]).send("/api/v1/failing"), INTERNAL);
  });
});

describe("failed statement", () => {
  test.for([
    ["08006", "connection failure", UNAVAILABLE],
    ["53300", "too many connections", UNAVAILABLE],
    ["57P01", "admin shutdown", UNAVAILABLE],
    ["57P03", "cannot connect now", UNAVAILABLE],
    ["42P01", "undefined table", INTERNAL],
    ["22P02", "invalid text representation", INTERNAL],
    ["23505", "unique violation", INTERNAL],
  ] as const)("the SQL state %s, %s, becomes %o", async ([code, , expected]) => {
    const failing = failingBy(async (context) => {
      await context.db.execute(sql.raw(`do $$ begin raise exception 'hunter2' using errcode = '${code}'; end $$`));
      return { data: null };
    });
    const response = await openKernel(openTestRuntime(databaseUrl), [failing]).send("/api/v1/failing");
    expectApiError(response, expected);
    expect(response.text).not.toContain("hunter2");
  });
});
