import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { callTool, rpc, statelessRpc } from "../../support/mcp/mcp-calls.ts";
import { openRegistryApi, type RegistryApi } from "../../support/registry/open-registry-api.ts";

const TOOLS = OPERATIONS.flatMap((operation) =>
  operation.mcpTool === null ? [] : [[operation.mcpTool, operation] as const],
);
/** What differs between any two requests, and whether the second one found a cached response. */
const OF_REQUEST = ["request_id", "cached", "cache_age_s"];

const ajv = new Ajv2020({ strict: false });
// The package is CommonJS: its callable default sits one level deeper for TypeScript.
(addFormats as unknown as (target: Ajv2020) => void)(ajv);

let registry: RegistryApi;
let schemas: Map<string, object>;

beforeAll(async () => {
  registry = await openRegistryApi();
  const endpoint = {
    name: "Receiver",
    url: "https://hooks.example.com/receiver",
    event_types: ["large_trade_inserted_v2"],
  };
  await registry.post("/api/v1/webhooks", endpoint);
  const { body } = await rpc(registry.api, "tools/list");
  schemas = new Map(body.result.tools.map((tool: any) => [tool.name, tool.outputSchema]));
});

/** The body without what differs between two requests; clocks that name the time of the request are one text. */
function comparable(body: any): unknown {
  const meta = Object.fromEntries(Object.entries(body.meta).filter(([name]) => !OF_REQUEST.includes(name)));
  const replay = body.object === "event_replay" ? { next_cursor: "a cursor" } : {};
  return JSON.parse(
    JSON.stringify({ ...body, ...replay, meta }, (key, value: unknown) => {
      if (key === "reset" && Number.isSafeInteger(value)) return "a time";
      return REQUEST_CLOCKS.has(key) && typeof value === "string" ? "a time" : value;
    }),
  );
}

/**
 * Fields that say when the response was read or computed, beside `reset`, the second at which the caller's window is
 * full again. The cursors of a replay contain the commit horizon, which every transaction of the database moves.
 */
const REQUEST_CLOCKS = new Set(["as_of", "computed_at", "expires_at", "reset_at", "generated_at", "to_cursor"]);

describe.each(TOOLS)("%s", (name, operation) => {
  test(`${name} returns the body of the same REST request, and it matches the output schema`, async () => {
    const rest = await registry.request(operation);
    const called = await callTool(registry.api, name, registry.argumentsOf(operation));
    const { structuredContent, content, isError } = called.body.result;
    expect({ status: rest.status, isError, structuredContent }).toMatchObject({ status: 200, isError: false });
    expect(comparable(structuredContent)).toEqual(comparable(rest.body));
    expect(structuredContent.meta.request_id).toBe(called.headers.get("x-request-id"));
    expect(content.map(({ type, text }: any) => [type, JSON.parse(text)])).toEqual([["text", structuredContent]]);
    const validate = ajv.compile(schemas.get(name) ?? false);
    validate(structuredContent);
    expect(validate.errors).toBeNull();
  });
});

test("a failed call returns the error of the same REST request, which matches the output schema", async () => {
  const rest = await registry.api.send("/api/v1/large-trades/999999999");
  const { body, status, headers } = await callTool(registry.api, "get_large_trade", { id: "999999999" });
  expect({ status, isError: body.result.isError }).toEqual({ status: 200, isError: true });
  const { code, param, doc_url } = rest.body.error;
  expect(body.result.structuredContent.error).toEqual({
    ...{ code, param, doc_url, reason: null, retry_at: null, retry_after_seconds: null },
    message: rest.body.error.message,
    next_step: "Do not retry with the same id. Find a valid one with a search or list tool.",
    request_id: headers.get("x-request-id"),
    status: 404,
  });
  expect(JSON.parse(body.result.content[0].text)).toEqual(body.result.structuredContent);
  expect(ajv.compile(schemas.get("get_large_trade") ?? false)(body.result.structuredContent)).toBe(true);
});

test("the stateless revision returns the same results, with its metadata", async () => {
  const args = { address: registry.world.traders.known.address };
  const legacy = await callTool(registry.api, "get_trader", args);
  const stateless = await statelessRpc(registry.api, "tools/call", { name: "get_trader", arguments: args });
  expect(stateless.body.result).toMatchObject({
    resultType: "complete",
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "prediction-market-activity-api", version: "1.0.0" } },
  });
  expect(comparable(stateless.body.result.structuredContent)).toEqual(comparable(legacy.body.result.structuredContent));
});

test("a list continues with its cursor to the rows that REST lists", async () => {
  const rest = await registry.api.send("/api/v1/large-trades?limit=3");
  const first = await callTool(registry.api, "get_large_trades", { limit: 2 });
  const { data, next_cursor } = first.body.result.structuredContent;
  const second = await callTool(registry.api, "get_large_trades", { limit: 2, cursor: next_cursor });
  const ids = [...data, ...second.body.result.structuredContent.data].map(({ id }: any) => id);
  expect(ids.slice(0, 3)).toEqual(rest.body.data.map(({ id }: any) => id));
});
