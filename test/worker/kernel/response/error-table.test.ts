import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { ERRORS, type Reason } from "../../../../src/api/errors.ts";
import type { Database } from "../../../../src/db/client.ts";
import { idempotencyRecords, jobHeartbeats } from "../../../../src/db/schema.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import type { Runtime } from "../../../../src/runtime.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { expectApiError } from "../../../support/kernel/api-error.ts";
import { FAULTY, shelf, SLOW_MS } from "../../../support/kernel/faulty-operations.ts";
import { aKey, type KeyFacts } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type KernelResponse, type Kernel } from "../../../support/kernel/open-kernel.ts";
import { scriptedMeter } from "../../../support/kernel/scripted-budgets.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";
import { meterWith, UNLIMITED, unlimitedVerdict } from "../../../support/api/unlimited.ts";

const NOW = Date.parse("2032-02-10T12:00:00Z");
const METADATA = 'resource_metadata="http://api.test/.well-known/oauth-protected-resource"';

let db: Database;
let runtime: Runtime;
let api: Kernel;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: NOW });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(Math, "random").mockReturnValue(0);
  const database = await createTestDatabase();
  db = database.db;
  runtime = openTestRuntime(database.databaseUrl);
  api = openKernel(runtime, [...OPERATIONS, ...FAULTY]);
});

afterEach(() => {
  vi.useRealTimers();
  vi.mocked(Math.random).mockRestore();
});

const get = (path: string) => () => api.send(path);
const sendWithKey = (path: string, facts: Partial<KeyFacts> = {}) => {
  return async () => api.send(path, { key: await aKey(db, facts) });
};
const refusal = (reason: Reason) => get(`/api/v1/refusal/${reason}`);

const JSON_TYPE = { "content-type": "application/json" };

async function timeOut(): Promise<KernelResponse> {
  const response = api.send("/api/v1/endless");
  await vi.advanceTimersByTimeAsync(30_000);
  return response;
}

/** Posts a batch with a key. */
function post(body: BodyInit, headers: Record<string, string> = JSON_TYPE, key?: string) {
  return async () => api.send("/api/v1/boxes", { method: "POST", key: key ?? (await aKey(db)), headers, body });
}

/** Sends two batches with one Idempotency-Key. @returns the response to the second */
async function postTwice(first: string, second: string): Promise<KernelResponse> {
  const key = await aKey(db);
  const headers = { ...JSON_TYPE, "idempotency-key": "k1" };
  const running = post(first, headers, key)();
  // The first request owns the key once its record exists.
  await vi.waitFor(async () => expect(await db.select().from(idempotencyRecords)).toHaveLength(1));
  const response = await post(second, headers, key)();
  await vi.advanceTimersByTimeAsync(SLOW_MS);
  await running;
  return response;
}

/** The response while this budget refuses the account or the address until that time. */
async function refusedBy(budget: "window" | "quota" | "limited" | "throttled", until: string): Promise<KernelResponse> {
  const retryAtMs = Date.parse(until);
  const { spend } = UNLIMITED.ipBudget;
  const limited: Runtime =
    budget === "window" || budget === "quota"
      ? {
          ...runtime,
          meter: meterWith(runtime.meter, (request) => ({
            ...unlimitedVerdict(request),
            refusedBy: budget,
            retryAtMs,
          })),
        }
      : {
          ...runtime,
          ipBudget: { spend: async (...args) => ({ ...(await spend(...args)), refusedBy: budget, retryAtMs }) },
        };
  return openKernel(limited, FAULTY, await aKey(db)).send("/api/v1/boxes", {
    method: "POST",
    headers: JSON_TYPE,
    body: '{"boxes":[]}',
  });
}

interface Row {
  readonly status: number;
  readonly code: string;
  /** Null where the contract publishes no reason for the code. */
  readonly reason: string | null;
  readonly param: string | null;
  /**
   * Further fields: seconds to wait and the retry time, the methods, the challenge. Absent means not sent.
   */
  readonly retryAfter?: number;
  readonly retryAt?: string;
  readonly allow?: string;
  readonly challenge?: string;
  /** Makes a request that fails in this way. */
  readonly send: () => Promise<KernelResponse>;
}

const bad = (reason: string | null, param: string | null) => ({ status: 400, code: "bad_request", reason, param });
const conflict = (reason: string | null, param: string | null) => ({ status: 409, code: "bad_request", reason, param });
const INVALID = { status: 401, code: "invalid_api_key", reason: null, param: null, challenge: `Bearer ${METADATA}` };
const FORBIDDEN = {
  status: 403,
  code: "forbidden",
  reason: null,
  param: null,
  challenge: `Bearer ${METADATA}`,
};
const MISSING = { status: 404, code: "not_found", reason: null, param: null };
const LIMITED = { status: 429, code: "rate_limited", reason: null, param: null };
const UNAVAILABLE = { status: 503, code: "rate_limit_unavailable", reason: null, param: null };
/** The default retry time of a failure. */
const inSeconds = (retryAfter: number) => ({ retryAfter, retryAt: new Date(NOW + retryAfter * 1000).toISOString() });

/**
 * From the error section of the specification and section 17 of the contract; the Retry-After of a 503 is
 * ours.
 */
const TABLE: Record<Reason, Row> = {
  bad_request: { ...bad(null, "address"), send: sendWithKey("/api/v1/trader/mkt_1") },
  invalid_query: { ...bad("invalid_query", "limit"), send: get("/api/v1/shelf?limit=abc") },
  unknown_query_parameter: {
    ...bad("unknown_query_parameter", "colour"),
    send: () => api.send("/api/v1/shelf?colour=%zz", { headers: { "x-query-validation": "strict" } }),
  },
  invalid_path: { ...bad("invalid_path", "id"), send: get("/api/v1/box/x") },
  invalid_body: { ...bad("invalid_body", "boxes[1]"), send: post('{"boxes":["a",1]}') },
  cursor_expired: {
    ...bad("cursor_expired", "cursor"),
    send: async () => {
      const { body } = await openKernel(runtime, [shelf(z.string())]).send("/api/v1/shelf");
      return api.send(`/api/v1/shelf?cursor=${body.next_cursor}`);
    },
  },
  invalid_api_key: { ...INVALID, send: get("/api/v1/large") },
  api_key_in_query: { ...INVALID, reason: "api_key_in_query", send: sendWithKey("/api/v1/large?token=x") },
  sandbox_api_key: {
    ...INVALID,
    reason: "sandbox_api_key",
    send: () => api.send("/api/v1/large", { key: `svc_sk_test_${"0".repeat(64)}` }),
  },
  subscription_inactive: {
    ...{ status: 402, code: "subscription_required", reason: "subscription_inactive", param: null },
    send: sendWithKey("/api/v1/large", { plan: "max", state: "lapsed" }),
  },
  forbidden: { ...FORBIDDEN, send: sendWithKey("/api/v1/large", { plan: "max", state: "deleted" }) },
  max_plan_required: { ...FORBIDDEN, reason: "max_plan_required", send: sendWithKey("/api/v1/large", { plan: "pro" }) },
  insufficient_scope: {
    ...{
      ...FORBIDDEN,
      code: "insufficient_scope",
      challenge: `Bearer error="insufficient_scope", scope="read", ${METADATA}`,
    },
    send: sendWithKey("/api/v1/large", { plan: "max", scopes: ["usage"] }),
  },
  not_found: { ...MISSING, param: "id", send: get("/api/v1/box/7") },
  pick_not_released: {
    ...{ ...MISSING, reason: "pick_not_released", ...inSeconds(900) },
    send: async () => {
      await db.insert(jobHeartbeats).values({ job: "publish_picks", succeededAt: new Date() });
      return sendWithKey("/api/v1/pick-of-the-day")();
    },
  },
  trader_not_tracked: {
    ...{ ...MISSING, reason: "trader_not_tracked", param: "address" },
    send: async () =>
      sendWithKey(`/api/v1/trader/${(await aSeededTrader(db)).address}/position-timeline?condition_id=mkt_1`)(),
  },
  unknown_endpoint: { ...MISSING, reason: "unknown_endpoint", send: get("/api/v1/boxen") },
  method_not_allowed: {
    ...{ status: 405, code: "bad_request", reason: "method_not_allowed", param: null, allow: "GET, HEAD, OPTIONS" },
    send: () => api.send("/api/v1/box/7", { method: "DELETE" }),
  },
  request_timeout: {
    ...{
      status: 408,
      code: "request_timeout",
      reason: null,
      param: null,
      retryAfter: 5,
      retryAt: "2032-02-10T12:00:35.000Z",
    },
    send: timeOut,
  },
  freshness_ceiling_unsatisfied: {
    ...conflict("freshness_ceiling_unsatisfied", "max_age_s"),
    send: sendWithKey(`/api/v1/trader/0x${"e".repeat(40)}?max_age_s=60`),
  },
  idempotency_in_progress: {
    ...conflict("idempotency_in_progress", "Idempotency-Key"),
    send: () => postTwice('{"boxes":[],"slow":true}', '{"boxes":[],"slow":true}'),
  },
  idempotency_outcome_lost: {
    ...conflict(null, "Idempotency-Key"),
    send: async () => {
      const key = await aKey(db);
      const send = post('{"boxes":[]}', { ...JSON_TYPE, "idempotency-key": "k1" }, key);
      await send();
      await db.update(idempotencyRecords).set({ body: "v1.of-another-secret" });
      return send();
    },
  },
  operation_retired: { ...MISSING, status: 410, send: sendWithKey("/api/v1/sports-edge-signals") },
  export_expired: { ...MISSING, status: 410, reason: "export_expired", send: refusal("export_expired") },
  payload_too_large: {
    ...{ status: 413, code: "bad_request", reason: "payload_too_large", param: "body" },
    send: post(`{"boxes":["${"x".repeat(1_048_577 - 14)}"]}`),
  },
  unsupported_media_type: {
    ...{ status: 415, code: "bad_request", reason: "unsupported_media_type", param: "content-type" },
    send: post('{"boxes":[]}', { "content-type": "text/plain" }),
  },
  idempotency_key_reused: {
    ...{ status: 422, code: "bad_request", reason: null, param: "Idempotency-Key" },
    send: () => postTwice('{"boxes":[],"slow":true}', '{"boxes":["a"]}'),
  },
  account_locked: {
    status: 423,
    code: "account_locked",
    reason: null,
    param: null,
    send: sendWithKey("/api/v1/large", { state: "locked" }),
  },
  rate_limited: {
    ...LIMITED,
    retryAfter: 37,
    retryAt: "2032-02-10T12:00:36.250Z",
    send: () => refusedBy("window", "2032-02-10T12:00:36.250Z"),
  },
  ip_rate_limited: {
    ...{ ...LIMITED, reason: "ip_rate_limited", retryAfter: 1, retryAt: "2032-02-10T12:00:01.000Z" },
    send: () => refusedBy("limited", "2032-02-10T12:00:00.200Z"),
  },
  ip_throttled: {
    ...{ ...LIMITED, reason: "ip_throttled", retryAfter: 3 * 86_400, retryAt: "2032-02-13T12:00:00.000Z" },
    send: () => refusedBy("throttled", "2032-02-13T12:00:00Z"),
  },
  monthly_quota_exceeded: {
    ...{ ...LIMITED, reason: "monthly_quota_exceeded", retryAfter: 19.5 * 86_400, retryAt: "2032-03-01T00:00:00.000Z" },
    send: () => refusedBy("quota", "2032-03-01T00:00:00Z"),
  },
  internal_error: { status: 500, code: "internal_error", reason: null, param: null, send: get("/api/v1/broken") },
  read_model_warming: {
    ...UNAVAILABLE,
    reason: "read_model_warming",
    ...inSeconds(5),
    send: sendWithKey("/api/v1/leaderboard"),
  },
  request_accounting_unavailable: {
    ...{ ...UNAVAILABLE, reason: "request_accounting_unavailable", ...inSeconds(1) },
    send: async () => {
      return openKernel(
        { ...runtime, meter: scriptedMeter(null, runtime.meter) },
        FAULTY,
        await aKey(db, { plan: "max" }),
      ).send("/api/v1/large");
    },
  },
  database_unavailable: {
    ...UNAVAILABLE,
    reason: "database_unavailable",
    ...inSeconds(5),
    send: get("/api/v1/cut-off"),
  },
  stream_unavailable: { ...UNAVAILABLE, ...inSeconds(5), send: sendWithKey("/api/v1/stream") },
  // These belong to the website; a test operation throws them here.
  default_key_limit_reached: { ...conflict(null, null), send: refusal("default_key_limit_reached") },
  integration_limit_reached: { ...conflict(null, null), send: refusal("integration_limit_reached") },
  integration_name_taken: { ...conflict(null, null), send: refusal("integration_name_taken") },
  watchlist_limit_reached: { ...conflict(null, null), send: refusal("watchlist_limit_reached") },
  watchlist_in_use: { ...conflict(null, null), send: refusal("watchlist_in_use") },
  rotation_overlap_active: { ...conflict(null, null), send: refusal("rotation_overlap_active") },
  credential_store_unavailable: { ...UNAVAILABLE, ...inSeconds(5), send: refusal("credential_store_unavailable") },
  mail_unavailable: { ...UNAVAILABLE, ...inSeconds(30), send: refusal("mail_unavailable") },
  // The webhook tests show how these arise; a test operation throws them here.
  webhook_delivery_in_progress: {
    ...conflict("webhook_delivery_in_progress", null),
    send: refusal("webhook_delivery_in_progress"),
  },
  webhook_secret_rotation_overlap_active: {
    ...conflict("webhook_secret_rotation_overlap_active", null),
    send: refusal("webhook_secret_rotation_overlap_active"),
  },
  webhook_secret_rotation_not_prepared: {
    ...conflict("webhook_secret_rotation_not_prepared", null),
    send: refusal("webhook_secret_rotation_not_prepared"),
  },
  webhook_not_pending: { ...conflict(null, null), send: refusal("webhook_not_pending") },
  webhook_not_delivering: { ...conflict(null, null), send: refusal("webhook_not_delivering") },
  delivery_not_dead: { ...conflict(null, null), send: refusal("delivery_not_dead") },
  host_lookup_unavailable: { ...UNAVAILABLE, ...inSeconds(5), send: refusal("host_lookup_unavailable") },
};

test("the table has a row for every declared error", () => {
  expect(Object.keys(TABLE).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
});

test.for(Object.entries(TABLE))(
  "the error %s has its documented status, code, reason, param and headers",
  async ([name, { status, code, reason, param, send, ...rest }]) => {
    const response = await send();
    expectApiError(response, { status, code, reason, param });
    expect(response.body.error.doc_url).toBe(`http://web.test/docs/errors#${reason === null ? code : name}`);
    expect({
      retryAfter: response.headers.get("retry-after"),
      retryAt: response.body.error.retry_at,
      allow: response.headers.get("allow"),
      challenge: response.headers.get("www-authenticate"),
    }).toEqual({
      retryAfter: rest.retryAfter === undefined ? null : String(rest.retryAfter),
      retryAt: rest.retryAt,
      allow: rest.allow ?? null,
      challenge: rest.challenge ?? null,
    });
  },
);
