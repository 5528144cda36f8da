import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { aKey, anUnknownKey, type KeyFacts } from "../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../support/kernel/open-kernel.ts";
import {
  scriptedIpBudget,
  scriptedMeter,
  type ScriptedIpBudget,
  type ScriptedMeter,
} from "../../support/kernel/scripted-budgets.ts";
import { callTool, postMcp, rpc } from "../../support/mcp/mcp-calls.ts";
import { KEYLESS, UNLIMITED, unlimitedVerdict } from "../../support/api/unlimited.ts";
import { aMeterRequest } from "../../support/api/meter-requests.ts";

const CHALLENGE = 'Bearer resource_metadata="http://api.test/.well-known/oauth-protected-resource/api/v1/mcp"';

let db: Database;
let runtime: Runtime;
let api: Kernel;
let meter: ScriptedMeter;
let ip: ScriptedIpBudget;

beforeAll(async () => {
  const database = await createTestDatabase();
  db = database.db;
  const opened = openTestRuntime(database.databaseUrl);
  meter = scriptedMeter(unlimitedVerdict(aMeterRequest()), opened.meter);
  ip = scriptedIpBudget(await UNLIMITED.ipBudget.spend("", "shared", KEYLESS));
  runtime = { ...opened, meter, ipBudget: ip };
  api = openKernel(runtime, OPERATIONS);
});

/** What one request spent: of the address, and of the user. */
async function spentBy<T>(work: () => Promise<T>): Promise<{ result: T; ip: number; user: readonly string[] }> {
  ip.spent.length = 0;
  meter.requests.length = 0;
  const result = await work();
  return { result, ip: ip.spent.length, user: meter.requests.map(({ operation }) => operation) };
}

const callAs = async (facts: Partial<KeyFacts>, tool: string, args: object = {}) =>
  callTool(api, tool, args, { key: await aKey(db, facts) });

test.each([
  ["no key", null],
  ["an unknown key", anUnknownKey()],
  ["a malformed key", "svc_sk_live_short"],
  ["a sandbox key", `svc_sk_test_${"0".repeat(64)}`],
])("a tool call with %s is 401 and names the endpoint's own resource metadata", async (_, key) => {
  const { status, headers, body } = await callTool(api, "get_leaderboard", {}, { key });
  expect({ status, code: body.error.code }).toEqual({ status: 401, code: "invalid_api_key" });
  expect(headers.get("www-authenticate")).toBe(CHALLENGE);
});

test.each([{ revokedAt: new Date(0) }, { expiresAt: new Date(0) }])(
  "a tool call with a key that ended is 401: %o",
  async (facts) => {
    const { status, headers } = await callAs(facts, "get_leaderboard");
    expect([status, headers.get("www-authenticate")]).toEqual([401, CHALLENGE]);
  },
);

test("a key in the URL of the endpoint is refused", async () => {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_leaderboard" } };
  const { status, body } = await api.send(`/api/v1/mcp?token=${await aKey(db)}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(call),
  });
  expect([status, body.error.reason]).toEqual([401, "api_key_in_query"]);
});

test.each([
  ["a free account", { plan: "free" }, "get_leaderboard", 402, "subscription_inactive"],
  ["a lapsed account", { state: "lapsed" }, "get_leaderboard", 402, "subscription_inactive"],
  ["a free account, of a public operation", { plan: "free" }, "get_platforms", 402, "subscription_inactive"],
  ["a Pro account, of a Max tool", { plan: "pro" }, "get_edge_hunter", 403, "max_plan_required"],
  ["a locked account", { state: "locked" }, "get_leaderboard", 423, null],
  ["a deleted account", { state: "deleted" }, "get_leaderboard", 403, null],
  ["a key without the scope", { scopes: ["usage"] }, "get_leaderboard", 403, null],
  ["a key without the scope, of a public operation", { scopes: ["usage"] }, "get_platforms", 403, null],
] as const)("a refused call is a result with isError and its next step: %s", async (_, facts, tool, status, reason) => {
  const args = tool === "get_edge_hunter" ? { view: "signals" } : {};
  const { result } = (await callAs(facts as Partial<KeyFacts>, tool, args)).body;
  expect(result.isError).toBe(true);
  expect(result.structuredContent.error).toMatchObject({
    status,
    reason,
    next_step: expect.stringMatching(/^Do not retry/),
  });
});

test("the handshake and every list work without a key and spend the address budget once", async () => {
  const methods = ["ping", "tools/list", "prompts/list", "resources/list", "resources/templates/list"];
  for (const method of methods) {
    const { result, ...spent } = await spentBy(() => rpc(api, method, {}, { key: null }));
    expect({ method, status: result.status, error: result.body.error, ...spent }).toEqual({
      ...{ method, status: 200, error: undefined },
      ...{ ip: 1, user: [] },
    });
  }
});

test("a tool call spends one request of the user and one of the address", async () => {
  const key = await aKey(db);
  const { result, ...spent } = await spentBy(() => callTool(api, "get_leaderboard", {}, { key }));
  expect([result.status, spent]).toEqual([200, { ip: 1, user: ["listLeaderboard"] }]);
  expect(result.headers.get("x-ratelimit-remaining")).toBe("99");
  expect(result.headers.get("x-usage-accounting")).toBe("persisted");
});

test.each([
  ["limit", "get_leaderboard", { limit: 0 }],
  ["limit", "get_leaderboard", { limit: "5" }],
  ["colour", "get_leaderboard", { colour: "red" }],
  ["address", "get_trader", {}],
  ["traders[1]", "batch_get_traders", { traders: ["trd_1", 7] }],
] as const)(
  "an argument that does not match the schema is named and spends nothing of the user: %s",
  async (param, tool, args) => {
    const key = await aKey(db);
    const { result, ...spent } = await spentBy(() => callTool(api, tool, args, { key }));
    expect(result.body.result).toMatchObject({ isError: true, structuredContent: { error: { status: 400, param } } });
    expect(spent).toEqual({ ip: 1, user: [] });
  },
);

test("an unknown tool is a JSON-RPC error with the nearest name, and spends nothing of the user", async () => {
  const key = await aKey(db);
  const { result, ...spent } = await spentBy(() => callTool(api, "get_leaderbord", {}, { key }));
  expect(result.body.error).toEqual({
    code: -32_602,
    message: "Unknown tool: get_leaderbord. Did you mean get_leaderboard?",
  });
  expect(spent).toEqual({ ip: 1, user: [] });
});

test("an exceeded user budget is a result that says when to call again", async () => {
  const admitted = meter.verdict;
  meter.verdict = {
    ...unlimitedVerdict(aMeterRequest()),
    refusedBy: "window",
    retryAtMs: Date.now() + 30_000,
  };
  const { result } = (await callAs({}, "get_leaderboard")).body;
  meter.verdict = admitted;
  expect(result.structuredContent.error).toMatchObject({ code: "rate_limited", status: 429 });
  expect(result.structuredContent.error.retry_after_seconds).toBeGreaterThan(0);
  expect(result.structuredContent.error.next_step).toMatch(/^Wait \d+ seconds/);
});

test("an exceeded address budget is HTTP 429 on every method", async () => {
  const admitted = ip.verdict;
  ip.verdict = { ...admitted, refusedBy: "limited", retryAtMs: Date.now() + 30_000 };
  const key = await aKey(db);
  const answers = [
    await rpc(api, "tools/list"),
    await callTool(api, "get_leaderboard", {}, { key }),
    await postMcp(api, "{"),
  ];
  ip.verdict = admitted;
  expect(answers.map(({ status, body }) => `${status} ${body.error.reason}`)).toEqual(
    answers.map(() => "429 ip_rate_limited"),
  );
});

test("a result older than max_age_s is refused after it was read, and charged once", async () => {
  const key = await aKey(db);
  const { result, ...spent } = await spentBy(() => callTool(api, "get_large_trades", { max_age_s: 60 }, { key }));
  expect(result.body.result).toMatchObject({
    isError: true,
    structuredContent: {
      error: {
        ...{ reason: "freshness_ceiling_unsatisfied", status: 409, param: "max_age_s" },
        freshness: { max_age_s: 60 },
      },
    },
  });
  expect(spent).toEqual({ ip: 1, user: ["listLargeTrades"] });
});

test("each call of a batch is charged on its own", async () => {
  const key = await aKey(db);
  const call = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "get_leaderboard" } });
  const { result, ...spent } = await spentBy(() => postMcp(api, [call(1), call(2)], { key }));
  expect(result.body.map(({ id }: any) => id)).toEqual([1, 2]);
  expect(spent).toEqual({ ip: 2, user: ["listLeaderboard", "listLeaderboard"] });
});

test("a plan states cost, budgets and the REST request, and spends the usage budget alone", async () => {
  const key = await aKey(db, { scopes: ["read"] });
  const planned = { tool: "batch_get_traders", arguments: { traders: ["trd_1", "trd_2"] } };
  const { result } = await spentBy(() => callTool(api, "plan_request", planned, { key }));
  expect(result.body.result.structuredContent).toMatchObject({
    object: "request_plan",
    data: {
      ...{ tool: "batch_get_traders", method: "POST", path: "/api/v1/traders/batch", problem: null },
      ...{ cost: 1, batch_units: 2, missing_scope: null, missing_plan: null, max_cache_age_s: 0 },
      budgets: { minute: { limit: 100, remaining: 99 }, month: { limit: 250_000 } },
    },
    meta: { cost: 0 },
  });
  expect(meter.requests).toMatchObject([{ budget: "usage", batchUnits: null }]);
});

test("a plan names the argument, the scope and the plan that the call lacks", async () => {
  const key = await aKey(db, { scopes: ["read"] });
  const plan = async (tool: string, args: object) =>
    (await callTool(api, "plan_request", { tool, arguments: args }, { key })).body.result.structuredContent;
  expect((await plan("get_leaderboard", { limit: 1_000 })).data).toMatchObject({
    path: null,
    problem: { param: "limit" },
  });
  expect((await plan("list_webhooks", {})).data).toMatchObject({ missing_scope: "webhooks" });
  expect((await plan("get_edge_hunter", { view: "board" })).data).toMatchObject({ missing_plan: "max" });
  expect((await plan("get_nothing", {})).error).toMatchObject({ status: 404, param: "tool" });
});
