import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { ERRORS, type Reason } from "../../../src/api/errors.ts";
import type { Database } from "../../../src/db/client.ts";
import { idempotencyRecords } from "../../../src/db/schema.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { createTestDatabase } from "../../support/database.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { FAULTY, shelf, SLOW_MS } from "../../support/kernel/faulty-operations.ts";
import { aKey, type KeyFacts } from "../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Answer, type Kernel } from "../../support/kernel/open-kernel.ts";
import { scriptedMeter } from "../../support/kernel/scripted-budgets.ts";
import { aWallet } from "../../support/seed/wallets.ts";
import { UNLIMITED } from "../../support/unlimited.ts";

const NOW = Date.parse("2032-02-10T12:00:00Z");
const METADATA = 'resource_metadata="http://api.test/.well-known/oauth-protected-resource"';

let db: Database;
let runtime: Runtime;
let api: Kernel;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: NOW });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const database = await createTestDatabase();
  db = database.db;
  runtime = openTestRuntime(database.databaseUrl);
  api = openKernel(runtime, [...OPERATIONS, ...FAULTY]);
});

afterEach(() => {
  vi.useRealTimers();
});

const get = (path: string) => () => api.send(path);
const asked = (path: string, facts: Partial<KeyFacts> = {}) => {
  return async () => api.send(path, { key: await aKey(db, facts) });
};
const refusal = (reason: Reason) => get(`/api/v1/refusal/${reason}`);

const JSON_TYPE = { "content-type": "application/json" };

async function timeOut(): Promise<Answer> {
  const answer = api.send("/api/v1/endless");
  await vi.advanceTimersByTimeAsync(30_000);
  return answer;
}

/** Posts a batch with a key. */
function post(body: BodyInit, headers: Record<string, string> = JSON_TYPE, key?: string) {
  return async () => api.send("/api/v1/boxes", { method: "POST", key: key ?? (await aKey(db)), headers, body });
}

/** Sends two batches with one Idempotency-Key. @returns the answer to the second */
async function postTwice(first: string, second: string): Promise<Answer> {
  const key = await aKey(db);
  const headers = { ...JSON_TYPE, "idempotency-key": "k1" };
  const running = post(first, headers, key)();
  // The first has the key once its record is there.
  await vi.waitFor(async () => expect(await db.select().from(idempotencyRecords)).toHaveLength(1));
  const answer = await post(second, headers, key)();
  await vi.advanceTimersByTimeAsync(SLOW_MS);
  await running;
  return answer;
}

/** The answer of an API whose user or address is refused by this budget, until then. */
async function refusedBy(budget: "window" | "quota" | "limited" | "throttled", until: string): Promise<Answer> {
  const retryAtMs = Date.parse(until);
  const { admit } = UNLIMITED.meter;
  const { spend } = UNLIMITED.ipBudget;
  const limited: Runtime =
    budget === "window" || budget === "quota"
      ? { ...runtime, meter: { admit: async (request) => ({ ...(await admit(request)), refusedBy: budget, retryAtMs }) } }
      : { ...runtime, ipBudget: { spend: async (...args) => ({ ...(await spend(...args)), refusedBy: budget, retryAtMs }) } };
  return openKernel(limited, FAULTY, await aKey(db)).send("/api/v1/boxes", { method: "POST", headers: JSON_TYPE, body: '{"boxes":[]}' });
}

interface Row {
  readonly status: number;
  readonly code: string;
  /** Null where the contract publishes no reason for the code. */
  readonly reason: string | null;
  readonly param: string | null;
  /** What else the answer says: the seconds to wait and until when, the methods, the challenge. Absent is not sent. */
  readonly retryAfter?: number;
  readonly retryAt?: string;
  readonly allow?: string;
  readonly challenge?: string;
  /** Makes the request that fails so. */
  readonly ask: () => Promise<Answer>;
}

const bad = (reason: string | null, param: string | null) => ({ status: 400, code: "bad_request", reason, param });
const conflict = (reason: string | null, param: string | null) => ({ status: 409, code: "bad_request", reason, param });
const INVALID = { status: 401, code: "invalid_api_key", reason: null, param: null, challenge: `Bearer ${METADATA}` };
const FORBIDDEN = { status: 403, code: "forbidden", reason: null, param: null };
const MISSING = { status: 404, code: "not_found", reason: null, param: null };
const LIMITED = { status: 429, code: "rate_limited", reason: null, param: null };
const UNAVAILABLE = { status: 503, code: "rate_limit_unavailable", reason: null, param: null };
/** When to come back where nobody knows better. */
const inSeconds = (retryAfter: number) => ({ retryAfter, retryAt: new Date(NOW + retryAfter * 1000).toISOString() });

/** From the error section of the specification and section 17 of the contract; Retry-After of the 503s is ours. */
const TABLE: Record<Reason, Row> = {
  bad_request: { ...bad(null, "address"), ask: asked("/api/v1/trader/mkt_1") },
  invalid_query: { ...bad("invalid_query", "limit"), ask: get("/api/v1/shelf?limit=abc") },
  unknown_query_parameter: {
    ...bad("unknown_query_parameter", "colour"),
    ask: () => api.send("/api/v1/shelf?colour=%zz", { headers: { "x-query-validation": "strict" } }),
  },
  invalid_path: { ...bad("invalid_path", "id"), ask: get("/api/v1/box/x") },
  invalid_body: { ...bad("invalid_body", "boxes[1]"), ask: post('{"boxes":["a",1]}') },
  cursor_expired: {
    ...bad("cursor_expired", "cursor"),
    ask: async () => {
      const { body } = await openKernel(runtime, [shelf(z.string())]).send("/api/v1/shelf");
      return api.send(`/api/v1/shelf?cursor=${body.next_cursor}`);
    },
  },
  invalid_api_key: { ...INVALID, ask: get("/api/v1/large") },
  api_key_in_query: { ...INVALID, reason: "api_key_in_query", ask: asked("/api/v1/large?token=x") },
  sandbox_api_key: {
    ...INVALID,
    reason: "sandbox_api_key",
    ask: () => api.send("/api/v1/large", { key: `svc_sk_test_${"0".repeat(64)}` }),
  },
  subscription_inactive: {
    ...{ status: 402, code: "subscription_required", reason: "subscription_inactive", param: null },
    ask: asked("/api/v1/large", { plan: "max", state: "lapsed" }),
  },
  forbidden: { ...FORBIDDEN, ask: asked("/api/v1/large", { plan: "max", state: "deleted" }) },
  max_plan_required: { ...FORBIDDEN, reason: "max_plan_required", ask: asked("/api/v1/large", { plan: "pro" }) },
  insufficient_scope: {
    ...{ ...FORBIDDEN, code: "insufficient_scope", challenge: `Bearer error="insufficient_scope", scope="read", ${METADATA}` },
    ask: asked("/api/v1/large", { plan: "max", scopes: ["usage"] }),
  },
  not_found: { ...MISSING, param: "id", ask: get("/api/v1/box/7") },
  trader_not_tracked: {
    ...{ ...MISSING, reason: "trader_not_tracked", param: "address" },
    ask: async () => asked(`/api/v1/trader/${(await aWallet(db)).address}/position-timeline?condition_id=mkt_1`)(),
  },
  unknown_endpoint: { ...MISSING, reason: "unknown_endpoint", ask: get("/api/v1/boxen") },
  method_not_allowed: {
    ...{ status: 405, code: "bad_request", reason: "method_not_allowed", param: null, allow: "GET, HEAD, OPTIONS" },
    ask: () => api.send("/api/v1/box/7", { method: "DELETE" }),
  },
  request_timeout: {
    ...{ status: 408, code: "request_timeout", reason: null, param: null, retryAfter: 5, retryAt: "2032-02-10T12:00:35.000Z" },
    ask: timeOut,
  },
  freshness_ceiling_unsatisfied: {
    ...conflict("freshness_ceiling_unsatisfied", "max_age_s"),
    ask: asked(`/api/v1/trader/0x${"e".repeat(40)}?max_age_s=60`),
  },
  idempotency_in_progress: {
    ...conflict("idempotency_in_progress", "Idempotency-Key"),
    ask: () => postTwice('{"boxes":[],"slow":true}', '{"boxes":[],"slow":true}'),
  },
  idempotency_outcome_lost: {
    ...conflict(null, "Idempotency-Key"),
    ask: async () => {
      const key = await aKey(db);
      const send = post('{"boxes":[]}', { ...JSON_TYPE, "idempotency-key": "k1" }, key);
      await send();
      await db.update(idempotencyRecords).set({ body: "v1.of-another-secret" });
      return send();
    },
  },
  payload_too_large: {
    ...{ status: 413, code: "bad_request", reason: "payload_too_large", param: "body" },
    ask: post(`{"boxes":["${"x".repeat(1_048_577 - 14)}"]}`),
  },
  unsupported_media_type: {
    ...{ status: 415, code: "bad_request", reason: "unsupported_media_type", param: "content-type" },
    ask: post('{"boxes":[]}', { "content-type": "text/plain" }),
  },
  idempotency_key_reused: {
    ...{ status: 422, code: "bad_request", reason: null, param: "Idempotency-Key" },
    ask: () => postTwice('{"boxes":[],"slow":true}', '{"boxes":["a"]}'),
  },
  account_locked: { status: 423, code: "account_locked", reason: null, param: null, ask: asked("/api/v1/large", { state: "locked" }) },
  rate_limited: {
    ...LIMITED,
    retryAfter: 37,
    retryAt: "2032-02-10T12:00:36.250Z",
    ask: () => refusedBy("window", "2032-02-10T12:00:36.250Z"),
  },
  ip_rate_limited: {
    ...{ ...LIMITED, reason: "ip_rate_limited", retryAfter: 1, retryAt: "2032-02-10T12:00:01.000Z" },
    ask: () => refusedBy("limited", "2032-02-10T12:00:00.200Z"),
  },
  ip_throttled: {
    ...{ ...LIMITED, reason: "ip_throttled", retryAfter: 3 * 86_400, retryAt: "2032-02-13T12:00:00.000Z" },
    ask: () => refusedBy("throttled", "2032-02-13T12:00:00Z"),
  },
  monthly_quota_exceeded: {
    ...{ ...LIMITED, reason: "monthly_quota_exceeded", retryAfter: 19.5 * 86_400, retryAt: "2032-03-01T00:00:00.000Z" },
    ask: () => refusedBy("quota", "2032-03-01T00:00:00Z"),
  },
  internal_error: { status: 500, code: "internal_error", reason: null, param: null, ask: get("/api/v1/broken") },
  read_model_warming: { ...UNAVAILABLE, reason: "read_model_warming", ...inSeconds(5), ask: asked("/api/v1/leaderboard") },
  request_accounting_unavailable: {
    ...{ ...UNAVAILABLE, reason: "request_accounting_unavailable", ...inSeconds(1) },
    ask: async () => {
      return openKernel({ ...runtime, meter: scriptedMeter(null) }, FAULTY, await aKey(db, { plan: "max" })).send("/api/v1/large");
    },
  },
  database_unavailable: { ...UNAVAILABLE, reason: "database_unavailable", ...inSeconds(5), ask: get("/api/v1/cut-off") },
  stream_unavailable: { ...UNAVAILABLE, ...inSeconds(5), ask: asked("/api/v1/stream") },
  // These belong to the website; here an operation fails with them.
  default_key_limit_reached: { ...conflict(null, null), ask: refusal("default_key_limit_reached") },
  integration_limit_reached: { ...conflict(null, null), ask: refusal("integration_limit_reached") },
  integration_name_taken: { ...conflict(null, null), ask: refusal("integration_name_taken") },
  rotation_overlap_active: { ...conflict(null, null), ask: refusal("rotation_overlap_active") },
  credential_store_unavailable: { ...UNAVAILABLE, ...inSeconds(5), ask: refusal("credential_store_unavailable") },
  mail_unavailable: { ...UNAVAILABLE, ...inSeconds(60), ask: refusal("mail_unavailable") },
  // How webhooks come to fail with these is shown beside them; here an operation fails with them.
  webhook_delivery_in_progress: { ...conflict("webhook_delivery_in_progress", null), ask: refusal("webhook_delivery_in_progress") },
  webhook_secret_rotation_overlap_active: {
    ...conflict("webhook_secret_rotation_overlap_active", null),
    ask: refusal("webhook_secret_rotation_overlap_active"),
  },
  webhook_secret_rotation_not_prepared: {
    ...conflict("webhook_secret_rotation_not_prepared", null),
    ask: refusal("webhook_secret_rotation_not_prepared"),
  },
  webhook_not_pending: { ...conflict(null, null), ask: refusal("webhook_not_pending") },
  webhook_not_delivering: { ...conflict(null, null), ask: refusal("webhook_not_delivering") },
  delivery_not_dead: { ...conflict(null, null), ask: refusal("delivery_not_dead") },
  host_lookup_unavailable: { ...UNAVAILABLE, ...inSeconds(5), ask: refusal("host_lookup_unavailable") },
};

test("every way to fail has a row here, and every row is a way to fail", () => {
  expect(Object.keys(TABLE).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
});

test.for(Object.entries(TABLE))("%s", async ([name, { status, code, reason, param, ask, ...rest }]) => {
  const answer = await ask();
  expectApiError(answer, { status, code, reason, param });
  expect(answer.body.error.doc_url).toBe(`http://web.test/docs/errors#${reason === null ? code : name}`);
  expect({
    retryAfter: answer.headers.get("retry-after"),
    retryAt: answer.body.error.retry_at,
    allow: answer.headers.get("allow"),
    challenge: answer.headers.get("www-authenticate"),
  }).toEqual({
    retryAfter: rest.retryAfter === undefined ? null : String(rest.retryAfter),
    retryAt: rest.retryAt,
    allow: rest.allow ?? null,
    challenge: rest.challenge ?? null,
  });
});
