import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import type { IpVerdict } from "../../../../src/platform/rate-limit/ip-budget.ts";
import type { MeterVerdict } from "../../../../src/platform/objects/meter.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { budgetHeaders } from "../../../support/kernel/budget-headers.ts";
import { aKey, anUnknownKey, type KeyFacts } from "../../../support/kernel/keys.ts";
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

const NOW = Date.parse("2032-02-10T12:00:00.300Z");
const until = (iso: string) => Date.parse(iso);
const unixOf = (iso: string) => String(Date.parse(iso) / 1000);

const ADMITTED: MeterVerdict = {
  refusedBy: null,
  retryAtMs: null,
  accounting: "persisted",
  window: { limit: 100, remaining: 41, resetAtMs: until("2032-02-10T12:00:52.100Z") },
  primary: { limit: 100, remaining: 7, resetAtMs: until("2032-02-10T12:00:59Z") },
  batch: { limit: 100, remaining: 13, resetAtMs: until("2032-02-10T12:00:33Z") },
  quota: { limit: 250_000, remaining: 249_000, used: 1_000, resetAtMs: until("2032-03-01T00:00:00Z") },
  day: { used: 1_000, resetAtMs: until("2032-02-11T00:00:00Z") },
};
const OF_KEY = {
  "ratelimit-limit": "100",
  "ratelimit-remaining": "41",
  // Rounded up: the window has been reset after this many whole seconds.
  "ratelimit-reset": "52",
  "x-ratelimit-limit": "100",
  "x-ratelimit-remaining": "41",
  "x-ratelimit-reset": unixOf("2032-02-10T12:00:53Z"),
  "x-monthly-quota-limit": "250000",
  "x-monthly-quota-remaining": "249000",
  "x-monthly-quota-reset": unixOf("2032-03-01T00:00:00Z"),
};
const SERVED = { ...OF_KEY, "x-usage-accounting": "persisted" };
const OF_BATCH = {
  "x-request-cost": "3",
  "x-batch-ratelimit-limit": "100",
  "x-batch-ratelimit-remaining": "13",
  "x-batch-ratelimit-reset": unixOf("2032-02-10T12:00:33Z"),
};

const IP_ADMITTED: IpVerdict = {
  refusedBy: null,
  retryAtMs: null,
  limit: 1_200,
  remaining: 900,
  resetAtMs: until("2032-02-10T12:00:20Z"),
};
const OF_IP = {
  "ratelimit-limit": "1200",
  "ratelimit-remaining": "900",
  "ratelimit-reset": "20",
  "x-ratelimit-limit": "1200",
  "x-ratelimit-remaining": "900",
  "x-ratelimit-reset": unixOf("2032-02-10T12:00:20Z"),
};

let database: TestDatabase;
let meter: ScriptedMeter;
let ipBudget: ScriptedIpBudget;
let api: Kernel;
/** Ids of the operations whose handler ran. */
let ran: string[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  database = await createTestDatabase();
  const runtime = openTestRuntime(database.databaseUrl);
  meter = scriptedMeter(ADMITTED, runtime.meter);
  ipBudget = scriptedIpBudget(IP_ADMITTED);
  ran = [];
  const operations = meteredOperations((id) => void ran.push(id));
  api = openKernel({ ...runtime, meter, ipBudget }, [...OPERATIONS, ...operations], await keyOf());
});

afterEach(() => {
  vi.useRealTimers();
});

const keyOf = (facts: Partial<KeyFacts> = {}) => aKey(database.db, facts);
const batch = (body = '{"items":["a","b","c"]}'): KernelRequest => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body,
});

function expectAnswer(response: KernelResponse, status: number, budgets: Record<string, string>): void {
  expect({ status: response.status, budgets: budgetHeaders(response.headers) }).toEqual({ status, budgets });
}

describe("budget headers of authenticated responses", () => {
  test("a computed response reports the window, the month's quota and the usage record", async () =>
    expectAnswer(await api.send("/api/v1/fresh"), 200, SERVED));

  test("a cached response reports the current window and quota", async () => {
    await api.send("/api/v1/cached");
    meter.verdict = { ...ADMITTED, window: { ...ADMITTED.window, remaining: 40 } };
    const response = await api.send("/api/v1/cached");
    expect(response.body.meta.cached).toBe(true);
    expectAnswer(response, 200, { ...SERVED, "ratelimit-remaining": "40", "x-ratelimit-remaining": "40" });
  });

  test("a 304 response reports the window and quota", async () => {
    expectAnswer(await api.send("/api/v1/cached", { headers: { "if-none-match": "*" } }), 304, SERVED);
  });

  test.for([
    [404, "missing"],
    [500, "broken"],
  ] as const)("a %i from the handler reports the window and quota", async ([status, path]) =>
    expectAnswer(await api.send(`/api/v1/${path}`), status, SERVED),
  );

  test("a HEAD response reports the window and quota", async () =>
    expectAnswer(await api.send("/api/v1/fresh", { method: "HEAD" }), 200, SERVED));

  test("a batch response also reports its own budget and its cost in units", async () => {
    const response = await api.send("/api/v1/items", batch());
    expectAnswer(response, 200, { ...SERVED, ...OF_BATCH });
    // A batch reports units in its meta instead of a cost.
    expect(response.body.meta).not.toHaveProperty("cost");
    expect(meter.requests.map(({ batchUnits }) => batchUnits)).toEqual([3]);
  });

  test("a refused body reports the window and quota, because it is read after admission", async () => {
    expectAnswer(await api.send("/api/v1/note", batch("{")), 400, SERVED);
    expect(ran).toEqual([]);
  });

  test.for([
    ["failed", "failed"],
    [null, "unknown"],
  ] as const)("a usage record that is %s is reported as %s", async ([accounting, reported]) => {
    meter.verdict = { ...ADMITTED, accounting };
    expectAnswer(await api.send("/api/v1/fresh"), 200, { ...SERVED, "x-usage-accounting": reported });
  });

  test("a usage response does not report a usage record of its own", async () => {
    expectAnswer(await api.send("/api/v1/about-usage"), 200, OF_KEY);
    expect(meter.requests.map(({ budget }) => budget)).toEqual(["usage"]);
  });

  test("the usage endpoint is the only operation without a usage record header", () => {
    expect(OPERATIONS.filter(({ reportsAccounting }) => reportsAccounting === false).map(({ path }) => path)).toEqual([
      "/api/v1/usage",
    ]);
  });
});

describe("budget headers of the IP address", () => {
  test("a public response reports the IP address's budget", async () =>
    expectAnswer(await api.send("/api/v1/coverage"), 200, OF_IP));
  test("a public 304 response reports the IP address's budget", async () => {
    expectAnswer(await api.send("/api/v1/health", { headers: { "if-none-match": "*" } }), 304, OF_IP);
  });
  test("a redirect reports the IP address's budget", async () =>
    expectAnswer(await api.send("/api/v1/openapi.json"), 307, OF_IP));

  test.for<[string, number, Partial<KeyFacts> | null, string]>([
    ["no key", 401, null, "fresh"],
    ["a revoked key", 401, { revokedAt: new Date(NOW - 1) }, "fresh"],
    ["a lapsed subscription", 402, { state: "lapsed" }, "fresh"],
    ["a deleted account", 403, { state: "deleted" }, "fresh"],
    ["a missing scope", 403, { scopes: ["export"] }, "fresh"],
    ["too small a plan", 403, { plan: "pro" }, "large"],
    ["a locked account", 423, { state: "locked" }, "fresh"],
  ])(
    "a refusal for %s reports the IP address's budget and spends none of the account's",
    async ([, status, facts, path]) => {
      expectAnswer(
        await api.send(`/api/v1/${path}`, { key: facts === null ? null : await keyOf(facts) }),
        status,
        OF_IP,
      );
      expect([meter.requests, ran]).toEqual([[], []]);
    },
  );

  test("a refusal of an unknown key reports the IP address's budget", async () => {
    expectAnswer(await api.send("/api/v1/fresh", { key: anUnknownKey() }), 401, OF_IP);
  });

  test.for<[string, number, string, KernelRequest]>([
    ["an invalid query", 400, "/api/v1/fresh?size=abc", {}],
    [
      "an unknown name in strict mode",
      400,
      "/api/v1/fresh?colour=red",
      { headers: { "x-query-validation": "strict" } },
    ],
    ["an invalid path", 400, "/api/v1/numbered/x", {}],
    ["a batch that is not JSON", 400, "/api/v1/items", batch("{")],
    [
      "a batch of another type",
      415,
      "/api/v1/items",
      { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" },
    ],
    ["a batch with an invalid body", 400, "/api/v1/items", batch('{"items":"a"}')],
    ["a batch that is too large", 413, "/api/v1/items", batch("x".repeat(1_048_577))],
  ])("%s reports the IP address's budget and spends none of the account's", async ([, status, path, sent]) => {
    expectAnswer(await api.send(path, sent), status, OF_IP);
    expect([ipBudget.spent.length, meter.requests, ran]).toEqual([1, [], []]);
  });
});
