import { beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../../../src/api/operation.ts";
import type { Database } from "../../../src/db/client.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { createTestDatabase } from "../../support/database.ts";
import { expectApiError, type ExpectedError } from "../../support/kernel/api-error.ts";
import { aKey, anUnknownKey, type KeyFacts } from "../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Answer, type Kernel, type Sent } from "../../support/kernel/open-kernel.ts";
import { pathOf } from "../../support/kernel/registry-paths.ts";

/*
 * What holds for every operation of the registry, present and to come. Bodies are left out: who may not call is told so before a body is
 * looked at.
 */
const SCOPES = ["read", "webhooks", "export", "usage"] as const;
const METADATA = 'resource_metadata="http://api.test/.well-known/oauth-protected-resource"';

const INVALID: ExpectedError = { status: 401, code: "invalid_api_key", reason: null, param: null };
const FORBIDDEN: ExpectedError = { status: 403, code: "forbidden", reason: null, param: null };

const KEYED = OPERATIONS.filter(({ access }) => access === "key");
const PUBLIC = OPERATIONS.filter(({ access }) => access === "public");

let db: Database;
let api: Kernel;

beforeAll(async () => {
  const database = await createTestDatabase();
  db = database.db;
  api = openKernel(openTestRuntime(database.databaseUrl), OPERATIONS);
});

function ask(operation: Operation, sent: Sent = {}, query = ""): Promise<Answer> {
  return api.send(pathOf(operation, query), { method: operation.method.toUpperCase(), ...sent });
}

/** Asks with a key of these facts; of a plan and scopes that are enough unless they say otherwise. */
async function askWith(operation: Operation, facts: Partial<KeyFacts>): Promise<Answer> {
  return ask(operation, { key: await aKey(db, { plan: "max", ...facts }) });
}

function expectChallenge(answer: Answer): void {
  expect(answer.headers.get("www-authenticate")).toBe(`Bearer ${METADATA}`);
}

test("the public operations are those of the specification", () => {
  const listed = ["", "/openapi.json", "/coverage", "/platforms", "/health", "/pick-of-the-day/ledger", "/agents/register"];
  for (const { path } of PUBLIC) expect(listed.map((end) => `/api/v1${end}`)).toContain(path);
});

test("every operation behind a key asks for a scope, and all but account reads for a plan", () => {
  const withoutPlan = ["/api/v1/usage", "/api/v1/me"];
  expect(KEYED.filter(({ scope }) => scope === null).map(({ id }) => id)).toEqual([]);
  expect(KEYED.filter(({ plan, path }) => plan === null && !withoutPlan.includes(path)).map(({ id }) => id)).toEqual([]);
});

describe.for(KEYED)("$id", (operation) => {
  test("is 401 without a key and points at the resource metadata", async () => {
    const answer = await ask(operation);
    expectApiError(answer, INVALID);
    expectChallenge(answer);
  });

  test.for<[string, () => Promise<string> | string]>([
    ["that nobody has", anUnknownKey],
    ["that was revoked", () => aKey(db, { revokedAt: new Date(Date.now() - 1_000) })],
    ["that has expired", () => aKey(db, { expiresAt: new Date(Date.now() - 1_000) })],
    ["of no form of ours", () => "nonsense"],
  ])("is 401 for a key %s", async ([, present]) => {
    const answer = await ask(operation, { key: await present() });
    expectApiError(answer, INVALID);
    expectChallenge(answer);
  });

  test("is 401 for a sandbox key", async () => {
    const answer = await ask(operation, { key: `svc_sk_test_${"0".repeat(64)}` });
    expectApiError(answer, { ...INVALID, reason: "sandbox_api_key" });
    expectChallenge(answer);
  });

  test("is 401 for a key in the URL, even beside a good one, and does not repeat it", async () => {
    const key = await aKey(db, { plan: "max" });
    for (const sent of [{ key: null }, { key }, { key, headers: { "x-query-validation": "strict" } }]) {
      const answer = await ask(operation, sent, `token=${key}&limit=none&surprise=1`);
      expectApiError(answer, { ...INVALID, reason: "api_key_in_query" });
      expectChallenge(answer);
      expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(key);
    }
  });

  test("is 403 for a key without its scope and names the scope", async () => {
    const answer = await askWith(operation, { scopes: SCOPES.filter((scope) => scope !== operation.scope) });
    expectApiError(answer, { ...FORBIDDEN, code: "insufficient_scope" });
    const challenge = `Bearer error="insufficient_scope", scope="${operation.scope}", ${METADATA}`;
    expect(answer.headers.get("www-authenticate")).toBe(challenge);
  });

  test("is 403 for a deleted account", async () => expectApiError(await askWith(operation, { state: "deleted" }), FORBIDDEN));

  test("is 423 for a locked account", async () => {
    expectApiError(await askWith(operation, { state: "locked" }), { ...FORBIDDEN, status: 423, code: "account_locked" });
  });

  test.for<Partial<KeyFacts>>([{ state: "lapsed" }, { plan: "free" }])("asks for a subscription, if for any plan: %o", async (facts) => {
    const answer = await askWith(operation, facts);
    const refused = { status: answer.status, reason: answer.body.error?.reason };
    expect(refused).toEqual(operation.plan === null ? { status: 200 } : { status: 402, reason: "subscription_inactive" });
  });

  test("lets a key in that has its scope alone", async () => {
    const { status } = await askWith(operation, { scopes: SCOPES.filter((scope) => scope === operation.scope) });
    expect([401, 402, 403, 423]).not.toContain(status);
  });
});

test.for(KEYED.filter(({ plan }) => plan === "max"))("$id is 403 on the Pro plan", async (operation) => {
  expectApiError(await askWith(operation, { plan: "pro" }), { ...FORBIDDEN, reason: "max_plan_required" });
});

describe.for(PUBLIC)("$id", (operation) => {
  test.for<[string, Sent, string]>([
    ["a key nobody has", { key: anUnknownKey() }, ""],
    ["a sandbox key", { key: `svc_sk_test_${"0".repeat(64)}` }, ""],
    ["a credential of no known form", { headers: { authorization: "Basic !!" } }, ""],
    ["a key in the URL", {}, "token=anything"],
  ])("is public and ignores %s", async ([, sent, query]) => {
    const plain = await ask(operation);
    const answer = await ask(operation, sent, query);
    expect([401, 402, 403, 423]).not.toContain(plain.status);
    expect({ status: answer.status, data: answer.body?.data }).toEqual({ status: plain.status, data: plain.body?.data });
  });
});
