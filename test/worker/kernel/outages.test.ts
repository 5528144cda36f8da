import { neonConfig } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineOperation } from "../../../src/api/operation.ts";
import type { Database } from "../../../src/db/client.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { createTestDatabase } from "../../support/database.ts";
import { expectApiError, expectRequestId, type ExpectedError } from "../../support/kernel/api-error.ts";
import { aKey } from "../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Answer } from "../../support/kernel/open-kernel.ts";
import { PLAIN } from "../../support/kernel/plain.ts";

/** Nothing listens there. */
const CLOSED = "http://127.0.0.1:1";
const DATABASE_AWAY = { NEON_HTTP_ENDPOINT: `${CLOSED}/sql` };
const REDIS_AWAY = { UPSTASH_REDIS_REST_URL: CLOSED };

const UNAVAILABLE: ExpectedError = { status: 503, code: "rate_limit_unavailable", reason: "database_unavailable", param: null };
const INTERNAL: ExpectedError = { status: 500, code: "internal_error", reason: null, param: null };

/** Answers with what Postgres computes. */
const computes = (id: string, cacheSeconds: number) =>
  defineOperation({
    ...PLAIN,
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

const MADE_UP = [computes("sum", 0), computes("cached-sum", 60)];

let databaseUrl: string;
let db: Database;
let key: string;

beforeEach(async () => {
  ({ databaseUrl, db } = await createTestDatabase());
  key = await aKey(db);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

afterEach(() => {
  // The driver's endpoint is one for the isolate: the next test starts with the real one.
  openTestRuntime(databaseUrl);
});

/** The answer of an isolate of its own, with these parts of the outside away. */
function ask(path: string, away: Record<string, string> = {}): Promise<Answer> {
  return openKernel(openTestRuntime(databaseUrl, away), [...OPERATIONS, ...MADE_UP], key).send(path);
}

function expectUnavailable(answer: Answer): void {
  expectApiError(answer, UNAVAILABLE);
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBeGreaterThanOrEqual(1);
  const wait = Date.parse(answer.body.error.retry_at) - Date.now();
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(seconds * 1000);
  expect(answer.text).not.toMatch(/select|127\.0\.0\.1|neon/i);
}

describe("while the database is away", () => {
  test.for(["/api/v1/large-trades", "/api/v1/leaderboard", "/api/v1/markets/search?q=rain", "/api/v1/large-trades/1", "/api/v1/sum"])(
    "%s is 503 database_unavailable with the time to come back",
    async (path) => expectUnavailable(await ask(path, DATABASE_AWAY)),
  );

  test("a caller who is known but asks something new is told the same", async () => {
    await ask("/api/v1/sum");
    expectUnavailable(await ask("/api/v1/sum", DATABASE_AWAY));
  });

  test("an answer that another isolate left in Redis is served, the same but for its meta", async () => {
    const computed = await ask("/api/v1/cached-sum");
    const cached = await ask("/api/v1/cached-sum", DATABASE_AWAY);
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

  test("what needs no database is answered", async () => {
    expect((await ask("/api/v1", DATABASE_AWAY)).status).toBe(200);
    expect((await ask("/api/v1/coverage", DATABASE_AWAY)).status).toBe(200);
  });

  test.for([500, 502, 503, 504])("a %i of the service in front of it is 503 database_unavailable too", async (status) => {
    await ask("/api/v1/sum");
    const answering = vi.spyOn(neonConfig, "fetchFunction", "get");
    answering.mockReturnValue(async () => new Response("upstream connect error", { status }));
    const answer = await ask("/api/v1/sum").finally(() => answering.mockRestore());
    expectUnavailable(answer);
  });

  test("health says so", async () => {
    const answer = await ask("/api/v1/health", DATABASE_AWAY);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ status: "down", db: false, cache: true });
  });
});

describe("while Redis is away", () => {
  test("keys are known and answers computed all the same", async () => {
    const answer = await ask("/api/v1/cached-sum", REDIS_AWAY);
    expect(answer.status).toBe(200);
    expect(answer.body.data.sum).toBe(42);
    expect(answer.body.meta.cached).toBe(false);
  });

  test("a bad key stays bad", async () => {
    key = `svc_sk_live_${"0".repeat(64)}`;
    expect((await ask("/api/v1/sum", REDIS_AWAY)).status).toBe(401);
  });

  test("health says so", async () => {
    expect((await ask("/api/v1/health", REDIS_AWAY)).body.data).toMatchObject({ db: true, cache: false });
  });

  test("a Redis that refuses our token counts as away", async () => {
    expect((await ask("/api/v1/sum", { UPSTASH_REDIS_REST_TOKEN: "wrong" })).status).toBe(200);
  });

  test("and the database too, the database is what is missed", async () => {
    expectUnavailable(await ask("/api/v1/sum", { ...REDIS_AWAY, ...DATABASE_AWAY }));
  });
});

describe("a cached text that is none of ours is as good as nothing", () => {
  test.for(["", "nonsense", "{}", '{"kind":"key"}', "1\n2", "a\nb\nc\nd"])("%j", async (text) => {
    const asked: string[] = [];
    const runtime = openTestRuntime(databaseUrl);
    const getMany = async (keys: readonly string[]) => {
      asked.push(...keys);
      return keys.map(() => text);
    };
    const kernel = openKernel({ ...runtime, cache: { ...runtime.cache, getMany } }, MADE_UP, key);
    const answer = await kernel.send("/api/v1/cached-sum");
    expect(answer.status).toBe(200);
    expect(answer.body.data.sum).toBe(42);
    expect(asked).toHaveLength(3);
  });
});

test("an isolate answers again from its own memory, asking Redis for the credential alone", async () => {
  const { cache, ...runtime } = openTestRuntime(databaseUrl);
  let asked: readonly string[] = [];
  const getMany = (keys: readonly string[]) => {
    asked = keys;
    return cache.getMany(keys);
  };
  const kernel = openKernel({ ...runtime, cache: { ...cache, getMany } }, MADE_UP, key);
  const computed = await kernel.send("/api/v1/cached-sum");
  const again = await kernel.send("/api/v1/cached-sum");
  expect(asked).toEqual([expect.stringMatching(/^cred:/), expect.stringMatching(/^found:cred:/)]);
  expect(again.body.data).toEqual(computed.body.data);
  expect(again.body.meta.cached).toBe(true);
  expect((await kernel.send("/api/v1/cached-sum", { key: null })).status).toBe(401);
});

describe("what a handler throws stays inside:", () => {
  const SECRET = "postgres://admin:hunter2@db.internal";
  const thrown: [string, () => unknown][] = [
    ["an Error", () => new Error(SECRET)],
    ["an Error with a cause", () => new Error(SECRET, { cause: new TypeError(SECRET) })],
    [
      "an Error that poses as a failure of ours",
      () => Object.assign(new Error(SECRET), { name: "ApiError", status: 200, detail: { message: SECRET } }),
    ],
    ["a text", () => SECRET],
    ["an object", () => ({ message: SECRET, status: 418 })],
    ["a Response", () => new Response(SECRET, { status: 418 })],
    ["null", () => null],
    ["nothing", () => undefined],
  ];

  test.for(thrown)("%s leaves as internal_error and its cause goes to the log", async ([, make]) => {
    const failing = defineOperation({
      ...PLAIN,
      kind: "single",
      id: "failing",
      path: "/api/v1/failing",
      object: "x",
      data: z.unknown(),
      handle: () => Promise.reject(make()),
    });
    const log = vi.spyOn(console, "error");
    const answer = await openKernel(openTestRuntime(databaseUrl), [failing]).send("/api/v1/failing");
    expectApiError(answer, INTERNAL);
    expect(answer.headers.has("retry-after")).toBe(false);
    expect(answer.text).not.toContain("hunter2");
    expect(log).toHaveBeenCalledWith(expect.stringContaining(answer.body.meta.request_id));
  });

  test("data that is no JSON too", async () => {
    const handle = async () => ({ data: { size: 12n } });
    const failing = defineOperation({
      ...PLAIN,
      kind: "single",
      id: "failing",
      path: "/api/v1/failing",
      object: "x",
      data: z.unknown(),
      handle,
    });
    expectApiError(await openKernel(openTestRuntime(databaseUrl), [failing]).send("/api/v1/failing"), INTERNAL);
  });
});

describe("a statement that Postgres fails with", () => {
  test.for([
    ["08006", "connection failure", UNAVAILABLE],
    ["53300", "too many connections", UNAVAILABLE],
    ["57P01", "admin shutdown", UNAVAILABLE],
    ["57P03", "cannot connect now", UNAVAILABLE],
    ["42P01", "undefined table", INTERNAL],
    ["22P02", "invalid text representation", INTERNAL],
    ["23505", "unique violation", INTERNAL],
  ] as const)("%s, %s, is %o", async ([code, , expected]) => {
    const failing = defineOperation({
      ...PLAIN,
      kind: "single",
      id: "failing",
      path: "/api/v1/failing",
      object: "x",
      data: z.unknown(),
      handle: async (_input, context) => {
        await context.db.execute(sql.raw(`do $$ begin raise exception 'hunter2' using errcode = '${code}'; end $$`));
        return { data: null };
      },
    });
    const answer = await openKernel(openTestRuntime(databaseUrl), [failing]).send("/api/v1/failing");
    expectApiError(answer, expected);
    expect(answer.text).not.toContain("hunter2");
  });
});
