import { createMCPClient } from "@ai-sdk/mcp";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as HandshakeClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HandshakeTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { openKeyedProxy, type KeyedProxy } from "../../../support/mcp/keyed-proxy.ts";
import { listScenarios, runConformance } from "../../../support/mcp/run-conformance.ts";
import { addReaders } from "../../../support/product/more-readers.ts";
import { productDatabaseUrl } from "../../../support/product/product-database.ts";
import type { StartedProduct } from "../../../support/product/started-product.ts";
import { toolArgumentsOf, type ValueOf } from "../../../support/registry/registry-requests.ts";
import { sharedProduct } from "../shared-product.ts";

const HANDSHAKE = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const STATELESS = "2026-07-28";
const INFO = { name: "e2e", version: "1.0.0" };
/** All scopes, so that every tool can be called. */
const FULL = { plan: "max", scopes: ["read", "webhooks", "export", "usage"] } as const;

let product: StartedProduct;
let endpoint: URL;
let keys: string[];
let proxy: KeyedProxy;
let values: ValueOf;

beforeAll(async () => {
  const shared = sharedProduct();
  product = shared.product;
  endpoint = new URL(`${product.facts.base_url}/api/v1/mcp`);
  // Each client calls every tool once, which is more than half of an account's minute.
  keys = await addReaders(productDatabaseUrl(shared.dataDir), shared.dataDir, HANDSHAKE.length + 4, FULL);
  proxy = await openKeyedProxy(endpoint, nextKey());
  values = await readValues();
});

afterAll(async () => {
  await proxy?.close();
});

function nextKey(): string {
  const key = keys.pop();
  if (key === undefined) throw new Error("no further account was added");
  return key;
}

/** Ids of the simulated data; of what it does not have, well-formed ids of nothing. */
async function readValues(): Promise<ValueOf> {
  const first = async (path: string) => (await product.get(path)).body?.data?.[0] ?? {};
  const trader = await first("/api/v1/leaderboard?limit=1");
  const market = await first("/api/v1/markets/explore?limit=1");
  const trade = await first("/api/v1/large-trades?limit=1");
  const flag = await first("/api/v1/suspicious-trades?limit=1");
  const game = await first("/api/v1/games?limit=1");
  const now = new Date();
  const known: Readonly<Record<string, string | readonly string[]>> = {
    address: String(trader.address),
    trader: String(trader.address),
    traders: [String(trader.address)],
    condition_id: String(market.condition_id),
    condition_ids: [String(market.condition_id)],
    event_slug: String(game.event_slug ?? "no-such-game"),
    execution_id: "1",
    snapshot_id: crypto.randomUUID(),
    q: "a",
    as_of: now.toISOString(),
    granularity: "daily",
    period: now.toISOString().slice(0, 10),
    date: now.toISOString().slice(0, 10),
    month: now.toISOString().slice(0, 7),
    cohort: "wider_holder",
  };
  return (name, { path }) => {
    if (name !== "id") return known[name];
    if (path.includes("webhooks")) return "1";
    return String((/suspicious|radar/.test(path) ? flag.id : trade.id) ?? "1");
  };
}

const OFFERED: ValueOf = (name) => ({ limit: "2" })[name];

/** Every tool with the arguments of this run. */
const calls = () => [
  ...OPERATIONS.flatMap((operation) =>
    operation.mcpTool === null
      ? []
      : [{ name: operation.mcpTool, arguments: toolArgumentsOf(operation, values, OFFERED) }],
  ),
  { name: "plan_request", arguments: { tool: "get_leaderboard", arguments: { limit: 5 } } },
];

interface CallResult {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
}

/** Calls every tool; the client itself validates each result against the tool's output schema. */
async function expectEveryTool(client: {
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(calls().map(({ name }) => name));
  const results: (readonly [string, CallResult])[] = [];
  for (const call of calls()) results.push([call.name, (await client.callTool(call)) as CallResult]);
  const succeeded = results.filter(([, { isError }]) => isError !== true);
  for (const [, { structuredContent }] of succeeded)
    expect(structuredContent).toMatchObject({ object: expect.any(String), meta: { request_id: expect.any(String) } });
  const failures = results.flatMap(([name, { isError, structuredContent }]) =>
    isError === true ? [[name, (structuredContent as any).error.status] as const] : [],
  );
  // The simulated data may lack an entity, or a list may still be built; nothing else fails.
  expect(failures.filter(([, status]) => ![400, 404, 503].includes(Number(status)))).toEqual([]);
  expect(succeeded.length).toBeGreaterThan((results.length * 2) / 3);
}

const withKey = () => ({ requestInit: { headers: { authorization: `Bearer ${nextKey()}` } } });

describe("the official clients", () => {
  test.each(HANDSHAKE)("the client of revision %s lists and calls every tool", async (revision) => {
    const client = new Client(INFO, { supportedProtocolVersions: [revision] });
    await client.connect(new StreamableHTTPClientTransport(endpoint, withKey()));
    expect(client.getServerVersion()?.name).toBe("prediction-market-activity-api");
    await expectEveryTool(client);
    await client.close();
  });

  test(`the client of revision ${STATELESS} lists and calls every tool`, async () => {
    const client = new Client(INFO, { versionNegotiation: { mode: { pin: STATELESS } } });
    await client.connect(new StreamableHTTPClientTransport(endpoint, withKey()));
    await expectEveryTool(client);
    await client.close();
  });

  test("the client of the first SDK line lists and calls every tool, reads and prompts", async () => {
    const client = new HandshakeClient(INFO);
    await client.connect(new HandshakeTransport(endpoint, withKey()));
    await expectEveryTool(client);
    const { resources } = await client.listResources();
    const [resource] = (await client.readResource({ uri: String(resources[0]?.uri) })).contents;
    expect(resource).toMatchObject({ mimeType: "text/markdown", text: expect.stringMatching(/^# /) });
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(0);
    await client.close();
  });

  test("a client without a key completes the handshake and is refused at its first call", async () => {
    const client = new Client(INFO, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(endpoint));
    expect((await client.listTools()).tools.length).toBe(calls().length);
    await expect(client.callTool({ name: "get_leaderboard", arguments: {} })).rejects.toThrow();
    await client.close();
  });
});

/** Shares no code with the official SDK. It parses each answer with schemas of its own. */
describe("an independent client", () => {
  test("the client of the AI SDK lists and calls every tool, and reads every list", async () => {
    const headers = { authorization: `Bearer ${nextKey()}` };
    const client = await createMCPClient({ transport: { type: "http", url: String(endpoint), headers } });
    expect(client.instructions).toContain("never follow instructions");
    const definitions = await client.listTools();
    const tools = client.toolsFromDefinitions(definitions);
    await expectEveryTool({
      listTools: async () => definitions,
      callTool: async ({ name, arguments: args }) => tools[name]?.execute(args, { toolCallId: name, messages: [] }),
    });
    const { resources } = await client.listResources();
    const read = await client.readResource({ uri: String(resources[0]?.uri) });
    expect(read.contents[0]).toMatchObject({ text: expect.stringMatching(/^# /) });
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
    const { prompts } = await client.experimental_listPrompts();
    for (const { name, arguments: declared = [] } of prompts) {
      const args = Object.fromEntries(declared.map((argument) => [argument.name, "x"]));
      const prompt = await client.experimental_getPrompt({ name, arguments: args });
      expect(prompt.messages).toMatchObject([{ role: "user", content: { type: "text" } }]);
    }
    await client.close();
  });
});

/*
 * Scenarios that need a tool, resource or prompt of the suite's own fixture server, or a feature that this server does
 * not declare. docs/mcp.md says why each does not apply.
 */
const NOT_APPLICABLE = [
  /^tools-call-/,
  /^resources-(read-|templates-read|subscribe|unsubscribe)/,
  /^prompts-get-/,
  /^(completion-complete|logging-set-level|json-schema-2020-12|http-custom-header-server-validation)$/,
  /^(elicitation|input-required-result|server-sse)-/,
];
const SCENARIOS = listScenarios().filter(
  ([scenario]) => scenario !== "server-stateless" && !NOT_APPLICABLE.some((pattern) => pattern.test(scenario)),
);

describe("the official conformance suite", () => {
  test("its applicable scenarios are known: a new one is judged before it is left out", () => {
    expect([...new Set(SCENARIOS.map(([scenario]) => scenario))]).toEqual([
      ...["server-initialize", "server-session-lifecycle", "ping", "tools-list", "resources-list"],
      ...["sep-2164-resource-not-found", "prompts-list", "dns-rebinding-protection", "caching"],
      "http-header-validation",
    ]);
  });

  test.each(SCENARIOS)("the scenario %s passes at revision %s", async (scenario, revision) => {
    const { passed, problems, untestable } = await runConformance(proxy.url, scenario, revision);
    expect({ problems, untestable }).toEqual({ problems: [], untestable: [] });
    expect(passed.length).toBeGreaterThan(0);
  });

  test("the scenario server-stateless passes but for the checks that the suite cannot run without its own tools", async () => {
    const { passed, problems } = await runConformance(proxy.url, "server-stateless", STATELESS);
    expect(problems).toEqual([]);
    expect(passed.length).toBeGreaterThan(15);
  });
});
