import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { OPERATIONS } from "../../../src/operations/index.ts";
import type { IpVerdict } from "../../../src/ports/ip-budget.ts";
import type { MeterVerdict } from "../../../src/ports/meter.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { budgetHeaders } from "../../support/kernel/budget-headers.ts";
import { aKey, anUnknownKey, type KeyFacts } from "../../support/kernel/keys.ts";
import { meteredOperations } from "../../support/kernel/metered-operations.ts";
import { openKernel, openTestRuntime, type Answer, type Kernel, type Sent } from "../../support/kernel/open-kernel.ts";
import { scriptedIpBudget, scriptedMeter, type ScriptedIpBudget, type ScriptedMeter } from "../../support/kernel/scripted-budgets.ts";

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
  // Rounded up: after so many seconds the window is there again.
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

const IP_ADMITTED: IpVerdict = { refusedBy: null, retryAtMs: null, limit: 1_200, remaining: 900, resetAtMs: until("2032-02-10T12:00:20Z") };
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
/** Operations whose handler ran. */
let ran: string[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  database = await createTestDatabase();
  meter = scriptedMeter(ADMITTED);
  ipBudget = scriptedIpBudget(IP_ADMITTED);
  ran = [];
  const operations = meteredOperations((id) => void ran.push(id));
  api = openKernel({ ...openTestRuntime(database.databaseUrl), meter, ipBudget }, [...OPERATIONS, ...operations], await keyOf());
});

afterEach(() => {
  vi.useRealTimers();
});

const keyOf = (facts: Partial<KeyFacts> = {}) => aKey(database.db, facts);
const batch = (body = '{"items":["a","b","c"]}'): Sent => ({ method: "POST", headers: { "content-type": "application/json" }, body });

function expectAnswer(answer: Answer, status: number, budgets: Record<string, string>): void {
  expect({ status: answer.status, budgets: budgetHeaders(answer.headers) }).toEqual({ status, budgets });
}

describe("an authenticated answer tells the key's window, the month's quota and what became of the usage record:", () => {
  test("a computed one", async () => expectAnswer(await api.send("/api/v1/fresh"), 200, SERVED));

  test("one out of the cache", async () => {
    await api.send("/api/v1/cached");
    meter.verdict = { ...ADMITTED, window: { ...ADMITTED.window, remaining: 40 } };
    const answer = await api.send("/api/v1/cached");
    expect(answer.body.meta.cached).toBe(true);
    expectAnswer(answer, 200, { ...SERVED, "ratelimit-remaining": "40", "x-ratelimit-remaining": "40" });
  });

  test("a 304", async () => {
    expectAnswer(await api.send("/api/v1/cached", { headers: { "if-none-match": "*" } }), 304, SERVED);
  });

  test.for([
    [404, "missing"],
    [500, "broken"],
  ] as const)("a %i of its handler", async ([status, path]) => expectAnswer(await api.send(`/api/v1/${path}`), status, SERVED));

  test("a HEAD", async () => expectAnswer(await api.send("/api/v1/fresh", { method: "HEAD" }), 200, SERVED));

  test("a batch, with its own budget and its cost in units", async () => {
    const answer = await api.send("/api/v1/items", batch());
    expectAnswer(answer, 200, { ...SERVED, ...OF_BATCH });
    // Its own meta tells the units; there is no cost beside them.
    expect(answer.body.meta).not.toHaveProperty("cost");
    expect(meter.asked.map(({ batchUnits }) => batchUnits)).toEqual([3]);
  });

  test("a body that is refused, which is read once its request is admitted", async () => {
    expectAnswer(await api.send("/api/v1/note", batch("{")), 400, SERVED);
    expect(ran).toEqual([]);
  });

  test.for([
    ["failed", "failed"],
    [null, "unknown"],
  ] as const)("a usage record that is %s is told as %s", async ([accounting, told]) => {
    meter.verdict = { ...ADMITTED, accounting };
    expectAnswer(await api.send("/api/v1/fresh"), 200, { ...SERVED, "x-usage-accounting": told });
  });

  test("an answer about usage leaves the record of its own reading out", async () => {
    expectAnswer(await api.send("/api/v1/about-usage"), 200, OF_KEY);
    expect(meter.asked.map(({ budget }) => budget)).toEqual(["usage"]);
  });

  test("of the registry, the usage alone does so", () => {
    expect(OPERATIONS.filter(({ reportsAccounting }) => reportsAccounting === false).map(({ path }) => path)).toEqual(["/api/v1/usage"]);
  });
});

describe("the shared budget of the address is told", () => {
  test("on a public route", async () => expectAnswer(await api.send("/api/v1/coverage"), 200, OF_IP));
  test("on a public 304", async () => {
    expectAnswer(await api.send("/api/v1/health", { headers: { "if-none-match": "*" } }), 304, OF_IP);
  });
  test("on a redirect", async () => expectAnswer(await api.send("/api/v1/openapi.json"), 307, OF_IP));

  test.for<[string, number, Partial<KeyFacts> | null, string]>([
    ["no key", 401, null, "fresh"],
    ["a revoked key", 401, { revokedAt: new Date(NOW - 1) }, "fresh"],
    ["a lapsed subscription", 402, { state: "lapsed" }, "fresh"],
    ["a deleted account", 403, { state: "deleted" }, "fresh"],
    ["a missing scope", 403, { scopes: ["export"] }, "fresh"],
    ["too small a plan", 403, { plan: "pro" }, "large"],
    ["a locked account", 423, { state: "locked" }, "fresh"],
  ])("on a refusal for %s, which spends nothing of a user's", async ([, status, facts, path]) => {
    expectAnswer(await api.send(`/api/v1/${path}`, { key: facts === null ? null : await keyOf(facts) }), status, OF_IP);
    expect([meter.asked, ran]).toEqual([[], []]);
  });

  test("on a refusal of a key that nobody has", async () => {
    expectAnswer(await api.send("/api/v1/fresh", { key: anUnknownKey() }), 401, OF_IP);
  });

  test.for<[string, number, string, Sent]>([
    ["an invalid query", 400, "/api/v1/fresh?size=abc", {}],
    ["an unknown name in strict mode", 400, "/api/v1/fresh?colour=red", { headers: { "x-query-validation": "strict" } }],
    ["an invalid path", 400, "/api/v1/numbered/x", {}],
    ["a batch that is no JSON", 400, "/api/v1/items", batch("{")],
    ["a batch of another type", 415, "/api/v1/items", { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" }],
    ["a batch that misfits", 400, "/api/v1/items", batch('{"items":"a"}')],
    ["a batch that is too large", 413, "/api/v1/items", batch("x".repeat(1_048_577))],
  ])("on %s, which spends nothing of the user's", async ([, status, path, sent]) => {
    expectAnswer(await api.send(path, sent), status, OF_IP);
    expect([ipBudget.spent.length, meter.asked, ran]).toEqual([1, [], []]);
  });
});
