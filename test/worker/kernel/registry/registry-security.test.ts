import { beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../../../../src/api/operation.ts";
import type { Database } from "../../../../src/db/client.ts";
import { OPERATIONS, WEB_OPERATIONS } from "../../../../src/operations/index.ts";
import type { Runtime } from "../../../../src/runtime.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { expectApiError, type ExpectedError } from "../../../support/kernel/api-error.ts";
import { aKey, anUnknownKey, type KeyFacts } from "../../../support/kernel/keys.ts";
import {
  openKernel,
  openTestRuntime,
  type KernelResponse,
  type Kernel,
  type KernelRequest,
} from "../../../support/kernel/open-kernel.ts";
import { pathOf } from "../../../support/kernel/registry-paths.ts";
import { NO_REQUEST_LIMITS } from "../../../support/api/unlimited.ts";
import { aSession } from "../../../support/web/members.ts";
import { productDayOf } from "../../../../src/domain/picks/pick-schedule.ts";
import { aPick } from "../../../support/seed/picks/picks.ts";

/*
 * What holds for every operation of the registry. No bodies are sent: a caller without access is refused
 * before the body is read.
 */
const SCOPES = ["read", "webhooks", "export", "usage"] as const;
const METADATA = 'resource_metadata="http://api.test/.well-known/oauth-protected-resource"';

const INVALID: ExpectedError = { status: 401, code: "invalid_api_key", reason: null, param: null };
const FORBIDDEN: ExpectedError = { status: 403, code: "forbidden", reason: null, param: null };

const KEYED = OPERATIONS.filter(({ access }) => access === "key");
const PUBLIC = OPERATIONS.filter(({ access }) => access === "public");

let db: Database;
let runtime: Runtime;
let api: Kernel;

beforeAll(async () => {
  const database = await createTestDatabase();
  db = database.db;
  runtime = { ...openTestRuntime(database.databaseUrl), requestLimiter: NO_REQUEST_LIMITS };
  api = openKernel(runtime, OPERATIONS);
  await aPick(db, { date: productDayOf(new Date()) });
});

function send(operation: Operation, sent: KernelRequest = {}, query = ""): Promise<KernelResponse> {
  return api.send(pathOf(operation, query), { method: operation.method.toUpperCase(), ...sent });
}

/** Sends a request with a key of these facts. Plan and scopes are sufficient by default. */
async function sendWithKey(operation: Operation, facts: Partial<KeyFacts>): Promise<KernelResponse> {
  return send(operation, { key: await aKey(db, { plan: "max", ...facts }) });
}

const sessions = new Map<string, Promise<string>>();

/**
 * The cookies of a member with these facts. Each sign-in costs a mailed code, of which an address has few.
 */
function sessionOf(facts: { plan?: string; state?: string }): Promise<string> {
  const name = JSON.stringify(facts);
  const session = sessions.get(name) ?? aSession(runtime, facts);
  sessions.set(name, session);
  return session;
}

function expectChallenge(response: KernelResponse): void {
  expect(response.headers.get("www-authenticate")).toBe(`Bearer ${METADATA}`);
}

test("the public operations are those of the specification, and the public record", () => {
  const listed = [
    "",
    "/openapi.json",
    "/coverage",
    "/platforms",
    "/health",
    "/pick-of-the-day/ledger",
    "/pick-of-the-day/ledger/{pick_id}",
    "/proofs/heads",
    "/proofs/rows/{row_id}",
    "/agents/register",
    "/record",
  ];
  for (const { path } of PUBLIC) expect(listed.map((end) => `/api/v1${end}`)).toContain(path);
});

test("every operation with a key requires a scope and, except for account reads and picks, a plan", () => {
  const withoutPlan = ["/usage", "/me", "/pick-of-the-day", "/pick-of-the-day/archive"].map((end) => `/api/v1${end}`);
  expect(KEYED.filter(({ scope }) => scope === null).map(({ id }) => id)).toEqual([]);
  expect(KEYED.filter(({ plan, path }) => plan === null && !withoutPlan.includes(path)).map(({ id }) => id)).toEqual(
    [],
  );
});

describe.for(KEYED)("$id", (operation) => {
  test("a request without a key returns 401 and names the resource metadata", async () => {
    const response = await send(operation);
    expectApiError(response, INVALID);
    expectChallenge(response);
  });

  test.for<[string, () => Promise<string> | string]>([
    ["that does not exist", anUnknownKey],
    ["that was revoked", () => aKey(db, { revokedAt: new Date(Date.now() - 1_000) })],
    ["that has expired", () => aKey(db, { expiresAt: new Date(Date.now() - 1_000) })],
    ["of an unknown format", () => "nonsense"],
  ])("a key %s returns 401", async ([, present]) => {
    const response = await send(operation, { key: await present() });
    expectApiError(response, INVALID);
    expectChallenge(response);
  });

  test("a sandbox key returns 401 sandbox_api_key", async () => {
    const response = await send(operation, { key: `svc_sk_test_${"0".repeat(64)}` });
    expectApiError(response, { ...INVALID, reason: "sandbox_api_key" });
    expectChallenge(response);
  });

  test("a key in the URL returns 401 even with a valid header, and is not repeated in the response", async () => {
    const key = await aKey(db, { plan: "max" });
    for (const sent of [{ key: null }, { key }, { key, headers: { "x-query-validation": "strict" } }]) {
      const response = await send(operation, sent, `token=${key}&limit=none&surprise=1`);
      expectApiError(response, { ...INVALID, reason: "api_key_in_query" });
      expectChallenge(response);
      expect(response.text + JSON.stringify([...response.headers])).not.toContain(key);
    }
  });

  test("a key without the operation's scope returns 403 and names the scope", async () => {
    const response = await sendWithKey(operation, { scopes: SCOPES.filter((scope) => scope !== operation.scope) });
    expectApiError(response, { ...FORBIDDEN, code: "insufficient_scope" });
    const challenge = `Bearer error="insufficient_scope", scope="${operation.scope}", ${METADATA}`;
    expect(response.headers.get("www-authenticate")).toBe(challenge);
  });

  test("a key of a deleted account returns 403", async () =>
    expectApiError(await sendWithKey(operation, { state: "deleted" }), FORBIDDEN));

  test("a key of a locked account returns 423", async () => {
    expectApiError(await sendWithKey(operation, { state: "locked" }), {
      ...FORBIDDEN,
      status: 423,
      code: "account_locked",
    });
  });

  test.for<Partial<KeyFacts>>([{ state: "lapsed" }, { plan: "free" }])(
    "an account without a subscription is refused when the operation requires a plan: %o",
    async (facts) => {
      const response = await sendWithKey(operation, facts);
      const refused = { status: response.status, reason: response.body.error?.reason };
      expect(refused).toEqual(
        operation.plan === null ? { status: 200 } : { status: 402, reason: "subscription_inactive" },
      );
    },
  );

  test("a key with only the operation's scope is accepted", async () => {
    const { status } = await sendWithKey(operation, { scopes: SCOPES.filter((scope) => scope === operation.scope) });
    expect([401, 402, 403, 423]).not.toContain(status);
  });
});

test.for(KEYED.filter(({ plan }) => plan === "max"))("$id returns 403 on the Pro plan", async (operation) => {
  expectApiError(await sendWithKey(operation, { plan: "pro" }), { ...FORBIDDEN, reason: "max_plan_required" });
});

describe.for(PUBLIC)("$id", (operation) => {
  test.for<[string, KernelRequest, string]>([
    ["an unknown key", { key: anUnknownKey() }, ""],
    ["a sandbox key", { key: `svc_sk_test_${"0".repeat(64)}` }, ""],
    ["a credential of an unknown format", { headers: { authorization: "Basic !!" } }, ""],
    ["a key in the URL", {}, "token=anything"],
  ])("a public operation ignores %s", async ([, sent, query]) => {
    const plain = await send(operation);
    const response = await send(operation, sent, query);
    expect([401, 402, 403, 423]).not.toContain(plain.status);
    // A registration is another one each time.
    const own = { api_key: expect.any(String), created_at: expect.any(String) };
    const data = operation.id === "registerAgent" ? { ...plain.body.data, ...own } : plain.body?.data;
    expect({ status: response.status, data: response.body?.data }).toEqual({ status: plain.status, data });
  });
});

test("every operation that takes a session is one of the website's, and takes no scope", () => {
  expect(OPERATIONS.filter(({ access }) => access === "session")).toEqual(WEB_OPERATIONS);
  expect(WEB_OPERATIONS.filter(({ scope }) => scope !== null).map(({ id }) => id)).toEqual([]);
});

describe.for(WEB_OPERATIONS)("$id", (operation) => {
  const INVALID_QUERY = "limit=none&before_id=none";

  test("a request without a session returns 401 before its query is judged", async () => {
    for (const cookies of ["", "__Host-svc.session_token=nonsense", `__Host-svc.session_token=${"x".repeat(4_000)}`]) {
      const response = await api.sendTo(operation, { cookies, query: INVALID_QUERY });
      expectApiError(response, INVALID);
      expectChallenge(response);
    }
  });

  test("an API key does not replace the session", async () => {
    const response = await api.sendTo(operation, { key: await aKey(db, { plan: "max" }) });
    expectApiError(response, INVALID);
    expectChallenge(response);
  });

  test("the API's origin does not have the operation, whatever the credential", async () => {
    const cookie = await sessionOf({});
    for (const headers of [{}, { cookie }, { cookie, origin: "http://web.test", "content-type": "application/json" }]) {
      const response = await send(operation, { key: await aKey(db, { plan: "max" }), headers });
      expectApiError(response, { status: 404, code: "not_found", reason: "unknown_endpoint", param: null });
    }
  });

  test("a page of another website is refused even with a session", async () => {
    const cookies = await sessionOf({});
    for (const origin of ["https://evil.example", "http://api.test", "null"]) {
      const response = await api.sendTo(operation, { cookies, headers: { origin } });
      expectApiError(response, { ...FORBIDDEN, param: "Origin" });
      expect(response.headers.has("access-control-allow-origin")).toBe(false);
    }
  });

  test.for<[{ plan?: string; state?: string }, ExpectedError]>([
    [{ state: "deleted" }, FORBIDDEN],
    [{ state: "locked" }, { ...FORBIDDEN, status: 423, code: "account_locked" }],
  ])("a session of an account with %o is refused", async ([facts, expected]) => {
    expectApiError(await api.sendTo(operation, { cookies: await sessionOf(facts) }), expected);
  });

  test.for<{ plan?: string; state?: string }>([{ state: "lapsed" }, { plan: "free" }])(
    "a session of an account without a subscription is refused when the operation requires a plan: %o",
    async (facts) => {
      const { status, body } = await api.sendTo(operation, { cookies: await sessionOf(facts) });
      const isRefused = [401, 402, 403, 423].includes(status);
      expect({ isRefused, reason: body.error?.reason ?? null }).toEqual(
        operation.plan === null
          ? { isRefused: false, reason: null }
          : { isRefused: true, reason: "subscription_inactive" },
      );
    },
  );

  test.for(["pro", "max"])("a session on the %s plan is accepted", async (plan) => {
    const { status } = await api.sendTo(operation, { cookies: await sessionOf({ plan }) });
    expect([401, 402, 403, 423]).not.toContain(status);
  });
});
