import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import type { IpVerdict } from "../../../../src/platform/rate-limit/ip-budget.ts";
import type { MeterVerdict } from "../../../../src/platform/objects/meter.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { expectApiError } from "../../../support/kernel/api-error.ts";
import { budgetHeaders } from "../../../support/kernel/budget-headers.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { meteredOperations } from "../../../support/kernel/metered-operations.ts";
import {
  openKernel,
  openTestRuntime,
  type KernelResponse,
  type Kernel,
  type KernelRequest,
} from "../../../support/kernel/open-kernel.ts";
import {
  scriptedIpBudget,
  scriptedMeter,
  type ScriptedIpBudget,
  type ScriptedMeter,
} from "../../../support/kernel/scripted-budgets.ts";

const NOW = Date.parse("2032-02-10T12:00:00Z");
const RESET_MS = NOW + 30_000;
const MONTH_END = "2032-03-01T00:00:00.000Z";
const unixOf = (iso: string) => String(Date.parse(iso) / 1000);
const state = (limit: number, remaining: number) => ({ limit, remaining, resetAtMs: RESET_MS });

const ADMITTED: MeterVerdict = {
  refusedBy: null,
  retryAtMs: null,
  accounting: "persisted",
  window: state(100, 60),
  primary: state(100, 60),
  batch: state(100, 50),
  quota: { limit: 250_000, remaining: 200, used: 249_800, resetAtMs: Date.parse(MONTH_END) },
  day: { used: 1, resetAtMs: RESET_MS },
};
const IP_ADMITTED: IpVerdict = { refusedBy: null, retryAtMs: null, ...state(1_200, 900) };
const BATCH: KernelRequest = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: '{"items":["a","b","c"]}',
};

let database: TestDatabase;
let meter: ScriptedMeter;
let ipBudget: ScriptedIpBudget;
let api: Kernel;
let ran: string[];

beforeAll(async () => {
  database = await createTestDatabase();
});

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  const runtime = openTestRuntime(database.databaseUrl);
  meter = scriptedMeter(ADMITTED, runtime.meter);
  ipBudget = scriptedIpBudget(IP_ADMITTED);
  ran = [];
  const operations = [...OPERATIONS, ...meteredOperations((id) => void ran.push(id))];
  api = openKernel({ ...runtime, meter, ipBudget }, operations, await aKey(database.db));
});

afterEach(() => {
  vi.useRealTimers();
});

function expectRefusal(response: KernelResponse, reason: string | null, retryAfter: number): void {
  expectApiError(response, { status: 429, code: "rate_limited", reason, param: null });
  expect(response.headers.get("retry-after")).toBe(String(retryAfter));
  expect(response.body.error.retry_at).toBe(new Date(NOW + retryAfter * 1000).toISOString());
  expect(ran).toEqual([]);
}

describe("account over a budget", () => {
  test("a request over the window is refused before its handler runs and reports the window", async () => {
    meter.verdict = {
      ...ADMITTED,
      refusedBy: "window",
      retryAtMs: NOW + 12_000,
      accounting: null,
      batch: null,
      window: state(100, 0),
    };
    const response = await api.send("/api/v1/fresh");
    expectRefusal(response, null, 12);
    expect(budgetHeaders(response.headers)).toEqual({
      "ratelimit-limit": "100",
      "ratelimit-remaining": "0",
      "ratelimit-reset": "30",
      "x-ratelimit-limit": "100",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": unixOf("2032-02-10T12:00:30Z"),
      "x-monthly-quota-limit": "250000",
      "x-monthly-quota-remaining": "200",
      "x-monthly-quota-reset": unixOf(MONTH_END),
    });
  });

  test("a batch over its unit budget is refused before its handler runs and reports the batch budget", async () => {
    meter.verdict = { ...ADMITTED, refusedBy: "batch", retryAtMs: NOW + 7_000, accounting: null, batch: state(100, 2) };
    const response = await api.send("/api/v1/items", BATCH);
    expectRefusal(response, null, 7);
    expect(budgetHeaders(response.headers)).toMatchObject({
      "ratelimit-remaining": "60",
      // A refused batch is not charged.
      "x-request-cost": "0",
      "x-batch-ratelimit-limit": "100",
      "x-batch-ratelimit-remaining": "2",
      "x-batch-ratelimit-reset": unixOf("2032-02-10T12:00:30Z"),
    });
  });

  test("a request over the month's quota is refused before its handler runs and reports the quota", async () => {
    const quota = { ...ADMITTED.quota, remaining: 0, used: 250_000 };
    meter.verdict = { ...ADMITTED, refusedBy: "quota", retryAtMs: Date.parse(MONTH_END), accounting: null, quota };
    const response = await api.send("/api/v1/fresh");
    expectRefusal(response, "monthly_quota_exceeded", 19.5 * 86_400);
    expect(budgetHeaders(response.headers)).toMatchObject({
      "x-monthly-quota-remaining": "0",
      "x-monthly-quota-reset": unixOf(MONTH_END),
    });
  });
});

describe.for([
  ["limited", "ip_rate_limited", 30],
  ["throttled", "ip_throttled", 2 * 86_400],
] as const)("address that is %s: 429 %s", ([refusedBy, reason, seconds]) => {
  beforeEach(() => {
    ipBudget.verdict = {
      ...IP_ADMITTED,
      refusedBy,
      remaining: 0,
      retryAtMs: NOW + seconds * 1000,
      resetAtMs: NOW + seconds * 1000,
    };
  });

  test.for<[string, string, KernelRequest]>([
    ["with a key", "/api/v1/fresh", {}],
    ["without a key", "/api/v1/fresh", { key: null }],
    ["on a public route", "/api/v1/coverage", {}],
    ["on health", "/api/v1/health", {}],
    ["on a redirect", "/api/v1/openapi.json", {}],
    ["with an invalid query", "/api/v1/fresh?size=abc", {}],
    ["on an unknown path", "/api/v1/nothing", {}],
    ["for an unknown method", "/api/v1/fresh", { method: "DELETE" }],
    ["on a preflight", "/api/v1/fresh", { method: "OPTIONS" }],
  ])("an IP address over its budget is refused %s before its handler runs", async ([, path, sent]) => {
    const response = await api.send(path, sent);
    expectRefusal(response, reason, seconds);
    expect(budgetHeaders(response.headers)).toEqual({
      "ratelimit-limit": "1200",
      "ratelimit-remaining": "0",
      "ratelimit-reset": String(seconds),
      "x-ratelimit-limit": "1200",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(NOW / 1000 + seconds),
    });
    expect(meter.requests).toEqual([]);
  });
});

test.for<[string, string, KernelRequest]>([
  ["a read", "/api/v1/fresh", {}],
  ["a read with a cached response", "/api/v1/cached", {}],
  ["a batch", "/api/v1/items", BATCH],
])("%s that cannot be accounted for returns 503 and does not run", async ([, path, sent]) => {
  await api.send("/api/v1/cached");
  ran = [];
  meter.verdict = null;
  const response = await api.send(path, sent);
  const expected = {
    status: 503,
    code: "rate_limit_unavailable",
    reason: "request_accounting_unavailable",
    param: null,
  };
  expectApiError(response, expected);
  expect(response.headers.get("retry-after")).toMatch(/^[1-5]$/);
  expect(response.headers.has("x-usage-accounting")).toBe(false);
  expect(ran).toEqual([]);
});

test("a meter that throws an unexpected error admits no request", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  meter.admit = () => Promise.reject(new Error("broken"));
  expect((await api.send("/api/v1/fresh")).status).toBe(500);
  expect(ran).toEqual([]);
});

describe("budget of the IP address", () => {
  test.for<[string, string, string, string | null]>([
    ["health spends its own budget", "/api/v1/health", "health", "203.0.113.7"],
    ["another public route spends the shared budget", "/api/v1/coverage", "shared", "203.0.113.7"],
    ["a route that needs a key spends the shared budget", "/api/v1/fresh", "shared", "2001:db8::7"],
    ["a request without Cloudflare's header spends the budget of 127.0.0.1", "/api/v1/fresh", "shared", null],
  ])("%s once per request", async ([, path, budget, ip]) => {
    await api.send(path, { headers: ip === null ? {} : { "cf-connecting-ip": ip } });
    expect(ipBudget.spent).toEqual([[ip ?? "127.0.0.1", budget]]);
  });

  test.for(OPERATIONS.filter(({ kind }) => kind !== "stream"))(
    "$id spends its address's budget once, whatever its response",
    async (operation) => {
      await api.sendTo(operation);
      expect(ipBudget.spent).toEqual([["127.0.0.1", operation.ipBudget ?? "shared"]]);
    },
  );

  test.for<[string, string, KernelRequest]>([
    ["an unknown path", "/api/v1/nothing", {}],
    ["a path outside the API", "/favicon.ico", {}],
    ["the website's path on the API's origin", "/api/keys", {}],
    ["an unknown method", "/api/v1/fresh", { method: "DELETE" }],
    ["an unknown method of health", "/api/v1/health", { method: "POST" }],
    ["a preflight", "/api/v1/fresh", { method: "OPTIONS" }],
    ["a preflight of an unknown path", "/api/v1/nothing", { method: "OPTIONS" }],
  ])("%s spends the shared budget of its address and reports it", async ([, path, sent]) => {
    const response = await api.send(path, { ...sent, headers: { "cf-connecting-ip": "203.0.113.7" } });
    expect(ipBudget.spent).toEqual([["203.0.113.7", "shared"]]);
    expect(budgetHeaders(response.headers)).toMatchObject({ "ratelimit-limit": "1200", "ratelimit-remaining": "900" });
  });
});

test("the meter is called once per request with the key's hash, what the operation requires and the operation", async () => {
  await api.send("/api/v1/fresh");
  expect(meter.requests).toEqual([
    {
      credential: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), accountId: expect.any(Number) },
      requirement: { scope: "read", plan: "pro", resource: "api" },
      operation: "fresh",
      budget: "primary",
      batchUnits: null,
    },
  ]);
});
