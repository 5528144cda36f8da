import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineOperation } from "../../../src/api/operation.ts";
import type { Database } from "../../../src/db/client.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { createTestDatabase } from "../../support/database.ts";
import { expectApiError, type ExpectedError } from "../../support/kernel/api-error.ts";
import { aKey, anUnknownKey, type KeyFacts } from "../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../support/kernel/open-kernel.ts";
import { PLAIN } from "../../support/kernel/plain.ts";

/** Answers with the plan and scopes of whoever may call it. */
const asks = (id: string, scope: "read" | "export" | "usage", plan: "pro" | "max" | null) =>
  defineOperation({
    ...PLAIN,
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

const MADE_UP = [
  asks("anyone", "usage", null),
  asks("subscribers", "read", "pro"),
  asks("largest", "read", "max"),
  asks("exporters", "export", "pro"),
];

const INVALID: ExpectedError = { status: 401, code: "invalid_api_key", reason: null, param: null };
const NO_SCOPE: ExpectedError = { status: 403, code: "insufficient_scope", reason: null, param: null };
const NO_SUBSCRIPTION: ExpectedError = { status: 402, code: "subscription_required", reason: "subscription_inactive", param: null };
const NOT_MAX: ExpectedError = { status: 403, code: "forbidden", reason: "max_plan_required", param: null };
const DELETED: ExpectedError = { status: 403, code: "forbidden", reason: null, param: null };
const LOCKED: ExpectedError = { status: 423, code: "account_locked", reason: null, param: null };

const METADATA = 'resource_metadata="http://api.test/.well-known/oauth-protected-resource"';
const DAY_MS = 86_400_000;

let db: Database;
let runtime: Runtime;
let api: Kernel;

beforeAll(async () => {
  const database = await createTestDatabase();
  db = database.db;
  runtime = openTestRuntime(database.databaseUrl);
  api = openKernel(runtime, MADE_UP);
});

describe("a credential that is no live key is 401 invalid_api_key", () => {
  test.for<[string, (key: string) => string]>([
    ["a key of the right form that was never given out", () => `Bearer ${anUnknownKey()}`],
    ["a key with a digit missing", (key) => `Bearer ${key.slice(0, -1)}`],
    ["a key with a digit too many", (key) => `Bearer ${key}0`],
    ["a key in capitals", (key) => `Bearer ${key.toUpperCase()}`],
    ["a key of another service", (key) => `Bearer ${key.replace("svc_", "abc_")}`],
    ["a key and something behind it", (key) => `Bearer ${key} ${key}`],
    ["a key without its scheme", (key) => key],
    ["a key under another scheme", (key) => `Basic ${key}`],
    ["a scheme without a key", () => "Bearer"],
    ["nothing", () => ""],
    ["8,000 characters", () => `Bearer ${"x".repeat(8_000)}`],
  ])("%s", async ([, present]) => {
    const answer = await api.send("/api/v1/subscribers", { headers: { authorization: present(await aKey(db)) } });
    expectApiError(answer, INVALID);
    expect(answer.headers.get("www-authenticate")).toBe(`Bearer ${METADATA}`);
  });
});

describe("a stored key", () => {
  test.for<[string, Partial<KeyFacts>, string, ExpectedError]>([
    ["that was revoked is invalid", { revokedAt: new Date() }, "subscribers", INVALID],
    ["that has expired is invalid", { expiresAt: new Date(Date.now() - 1_000) }, "subscribers", INVALID],
    ["of a deleted account is forbidden", { state: "deleted" }, "subscribers", DELETED],
    ["of a deleted account is forbidden without a plan too", { state: "deleted" }, "anyone", DELETED],
    ["of a locked account is refused", { state: "locked" }, "subscribers", LOCKED],
    ["of a lapsed subscription has to pay", { state: "lapsed" }, "subscribers", NO_SUBSCRIPTION],
    ["of a free account has to pay", { plan: "free" }, "subscribers", NO_SUBSCRIPTION],
    ["of a lapsed Max subscription has to pay", { plan: "max", state: "lapsed" }, "largest", NO_SUBSCRIPTION],
    ["of a Pro account is too small for a Max operation", { plan: "pro" }, "largest", NOT_MAX],
    ["without the scope is refused", { scopes: ["read"] }, "exporters", NO_SCOPE],
    ["without any scope is refused", { scopes: [] }, "subscribers", NO_SCOPE],
  ])("%s", async ([, facts, path, expected]) => {
    const key = await aKey(db, facts);
    const first = await api.send(`/api/v1/${path}`, { key });
    const remembered = await api.send(`/api/v1/${path}`, { key });
    for (const answer of [first, remembered]) {
      expectApiError(answer, expected);
      // Only a 401 and a missing scope are a matter of the credential.
      expect(answer.headers.has("www-authenticate")).toBe(expected.status === 401 || expected.code === "insufficient_scope");
      // Nothing gets better by waiting.
      expect(answer.headers.has("retry-after")).toBe(false);
    }
  });

  test.for<[string, Partial<KeyFacts>, string]>([
    ["of a Pro account", { plan: "pro" }, "subscribers"],
    ["of a Max account", { plan: "max" }, "subscribers"],
    ["of a Max account on a Max operation", { plan: "max" }, "largest"],
    ["of a lapsed account where no plan is asked for", { plan: "pro", state: "lapsed" }, "anyone"],
    ["that expires tomorrow", { plan: "pro", expiresAt: new Date(Date.now() + DAY_MS) }, "subscribers"],
    ["with the one scope it takes", { plan: "pro", scopes: ["export"] }, "exporters"],
  ])("%s is let in as who it is", async ([, facts, path]) => {
    const answer = await api.send(`/api/v1/${path}`, { key: await aKey(db, facts) });
    expect(answer.status).toBe(200);
    expect(answer.body.data.plan).toBe(facts.plan);
  });

  test("is taken whatever the case of the scheme", async () => {
    const answer = await api.send("/api/v1/subscribers", { headers: { authorization: `bearer ${await aKey(db)}` } });
    expect(answer.status).toBe(200);
  });
});

test("a lapsed subscriber learns where to pay", async () => {
  const answer = await api.send("/api/v1/subscribers", { key: await aKey(db, { state: "lapsed" }) });
  expect(answer.body.error.message).toContain("http://web.test/");
});

test("neither Postgres nor Redis ever holds a key", async () => {
  const key = await aKey(db);
  await api.send("/api/v1/subscribers", { key });
  const { rows } = await db.execute(sql`select to_jsonb(api_keys)::text as stored from api_keys order by id`);
  const [hash] = rows.flatMap(({ stored }) => /"key_hash": "([^"]+)"/.exec(String(stored))?.[1] ?? []).slice(-1);
  const [record] = await runtime.cache.getMany([`cred:${hash}`]);
  expect(record).toContain('"kind":"key"');
  const secret = key.slice(-64);
  for (const text of [JSON.stringify(rows), String(record), String(hash)]) expect(text).not.toContain(secret);
});

test("an unknown key is looked up in the database once and then remembered as unknown", async () => {
  const key = anUnknownKey();
  let asked = 0;
  const counting = new Proxy(db, {
    get: (target, name, receiver) => {
      if (name === "execute") asked += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  const kernel = openKernel({ ...runtime, db: counting }, MADE_UP);
  for (let i = 0; i < 3; i++) expectApiError(await kernel.send("/api/v1/subscribers", { key }), INVALID);
  expect(asked).toBe(1);
});
