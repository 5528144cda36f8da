import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { identityKey } from "../../../../src/auth/identify-credential.ts";
import { defineOperation } from "../../../../src/api/operation.ts";
import type { Database } from "../../../../src/db/client.ts";
import type { Runtime } from "../../../../src/runtime.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { expectApiError, type ExpectedError } from "../../../support/kernel/api-error.ts";
import { aKey, anUnknownKey, type KeyFacts } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../../support/kernel/open-kernel.ts";
import { PLAIN_OPERATION } from "../../../support/kernel/plain-operation.ts";
import { DAY_MS } from "../../../../src/scoring/utc-calendar.ts";

/** An operation that returns the caller's plan. */
const callerOperation = (id: string, scope: "read" | "export" | "usage", plan: "pro" | "max" | null) =>
  defineOperation({
    ...PLAIN_OPERATION,
    kind: "single",
    id,
    path: `/api/v1/${id}`,
    access: "key",
    scope,
    plan,
    object: "caller",
    data: z.object({ plan: z.string().optional() }),
    handle: async (_input, { principal }) => ({ data: { plan: principal?.plan } }),
  });

const TEST_OPERATIONS = [
  callerOperation("anyone", "usage", null),
  callerOperation("subscribers", "read", "pro"),
  callerOperation("largest", "read", "max"),
  callerOperation("exporters", "export", "pro"),
];

const INVALID: ExpectedError = { status: 401, code: "invalid_api_key", reason: null, param: null };
const NO_SCOPE: ExpectedError = { status: 403, code: "insufficient_scope", reason: null, param: null };
const NO_SUBSCRIPTION: ExpectedError = {
  status: 402,
  code: "subscription_required",
  reason: "subscription_inactive",
  param: null,
};
const NOT_MAX: ExpectedError = { status: 403, code: "forbidden", reason: "max_plan_required", param: null };
const DELETED: ExpectedError = { status: 403, code: "forbidden", reason: null, param: null };
const LOCKED: ExpectedError = { status: 423, code: "account_locked", reason: null, param: null };

const METADATA = 'resource_metadata="http://api.test/.well-known/oauth-protected-resource"';

let db: Database;
let runtime: Runtime;
let api: Kernel;

beforeAll(async () => {
  const database = await createTestDatabase();
  db = database.db;
  runtime = openTestRuntime(database.databaseUrl);
  api = openKernel(runtime, TEST_OPERATIONS);
});

describe("invalid credentials", () => {
  test.for<[string, (key: string) => string]>([
    ["a well-formed key that does not exist", () => `Bearer ${anUnknownKey()}`],
    ["a key that lacks one digit", (key) => `Bearer ${key.slice(0, -1)}`],
    ["a key with an extra digit", (key) => `Bearer ${key}0`],
    ["a key in capitals", (key) => `Bearer ${key.toUpperCase()}`],
    ["a key of another service", (key) => `Bearer ${key.replace("svc_", "abc_")}`],
    ["a key followed by other text", (key) => `Bearer ${key} ${key}`],
    ["a key without its scheme", (key) => key],
    ["a key under another scheme", (key) => `Basic ${key}`],
    ["a scheme without a key", () => "Bearer"],
    ["an empty Authorization header", () => ""],
    ["a key of 8,000 characters", () => `Bearer ${"x".repeat(8_000)}`],
  ])("a request with %s returns 401 invalid_api_key", async ([, present]) => {
    const response = await api.send("/api/v1/subscribers", { headers: { authorization: present(await aKey(db)) } });
    expectApiError(response, INVALID);
    expect(response.headers.get("www-authenticate")).toBe(`Bearer ${METADATA}`);
  });
});

describe("stored key", () => {
  test.for<[string, Partial<KeyFacts>, string, ExpectedError]>([
    ["that is revoked returns invalid_api_key", { revokedAt: new Date() }, "subscribers", INVALID],
    ["that has expired returns invalid_api_key", { expiresAt: new Date(Date.now() - 1_000) }, "subscribers", INVALID],
    ["of a deleted account returns forbidden", { state: "deleted" }, "subscribers", DELETED],
    ["of a deleted account returns forbidden where no plan is required", { state: "deleted" }, "anyone", DELETED],
    ["of a locked account returns account_locked", { state: "locked" }, "subscribers", LOCKED],
    ["of a lapsed subscription returns subscription_required", { state: "lapsed" }, "subscribers", NO_SUBSCRIPTION],
    ["of a free account returns subscription_required", { plan: "free" }, "subscribers", NO_SUBSCRIPTION],
    [
      "of a lapsed Max subscription returns subscription_required",
      { plan: "max", state: "lapsed" },
      "largest",
      NO_SUBSCRIPTION,
    ],
    ["of a Pro account returns max_plan_required on a Max operation", { plan: "pro" }, "largest", NOT_MAX],
    ["without the operation's scope returns insufficient_scope", { scopes: ["read"] }, "exporters", NO_SCOPE],
    ["without any scope returns insufficient_scope", { scopes: [] }, "subscribers", NO_SCOPE],
  ])("a key %s", async ([, facts, path, expected]) => {
    const key = await aKey(db, facts);
    const first = await api.send(`/api/v1/${path}`, { key });
    const remembered = await api.send(`/api/v1/${path}`, { key });
    for (const response of [first, remembered]) {
      expectApiError(response, expected);
      // Another credential may be accepted; it does not help against 402 and 423.
      expect(response.headers.has("www-authenticate")).toBe(expected.status === 401 || expected.status === 403);
      // None of these is resolved by waiting.
      expect(response.headers.has("retry-after")).toBe(false);
    }
  });

  test.for<[string, Partial<KeyFacts>, string]>([
    ["of a Pro account", { plan: "pro" }, "subscribers"],
    ["of a Max account", { plan: "max" }, "subscribers"],
    ["of a Max account on a Max operation", { plan: "max" }, "largest"],
    ["of a lapsed account where no plan is required", { plan: "pro", state: "lapsed" }, "anyone"],
    ["that expires tomorrow", { plan: "pro", expiresAt: new Date(Date.now() + DAY_MS) }, "subscribers"],
    ["with only the required scope", { plan: "pro", scopes: ["export"] }, "exporters"],
  ])("a key %s is accepted with its account's plan", async ([, facts, path]) => {
    const response = await api.send(`/api/v1/${path}`, { key: await aKey(db, facts) });
    expect(response.status).toBe(200);
    expect(response.body.data.plan).toBe(facts.plan);
  });

  test("the Bearer scheme is accepted in any letter case", async () => {
    const response = await api.send("/api/v1/subscribers", { headers: { authorization: `bearer ${await aKey(db)}` } });
    expect(response.status).toBe(200);
  });
});

test("a refusal for a lapsed subscription links to the website", async () => {
  const response = await api.send("/api/v1/subscribers", { key: await aKey(db, { state: "lapsed" }) });
  expect(response.body.error.message).toContain("http://web.test/");
});

test("neither Postgres nor Redis stores a key's secret", async () => {
  const key = await aKey(db);
  await api.send("/api/v1/subscribers", { key });
  const { rows } = await db.execute(sql`select to_jsonb(api_keys)::text as stored from api_keys order by id`);
  const [hash] = rows.flatMap(({ stored }) => /"key_hash": "([^"]+)"/.exec(String(stored))?.[1] ?? []).slice(-1);
  const [identity] = await runtime.cache.getMany([identityKey(String(hash))]);
  expect(identity).toMatch(/^\d+$/);
  const secret = key.slice(-64);
  for (const text of [JSON.stringify(rows), String(identity), String(hash)]) expect(text).not.toContain(secret);
});

test("an unknown key is looked up once in the database and then cached as unknown", async () => {
  const key = anUnknownKey();
  let statements = 0;
  const counting = new Proxy(db, {
    get: (target, name, receiver) => {
      if (name === "execute" || name === "select") statements += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  const kernel = openKernel({ ...runtime, db: counting }, TEST_OPERATIONS);
  for (let i = 0; i < 3; i++) expectApiError(await kernel.send("/api/v1/subscribers", { key }), INVALID);
  expect(statements).toBe(1);
});
