import fc from "fast-check";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../support/kernel/open-kernel.ts";
import { MCP_PATH, postMcp, rpc, STATELESS, statelessRpc } from "../../support/mcp/mcp-calls.ts";

const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const SUPPORTED = [STATELESS, ...LEGACY];
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

let api: Kernel;

beforeAll(async () => {
  const { databaseUrl } = await createTestDatabase();
  api = openKernel(openTestRuntime(databaseUrl), OPERATIONS);
});

const version = (text: string) => ({ headers: { "mcp-protocol-version": text } });

describe("the handshake", () => {
  test.each(LEGACY)("initialize answers the requested revision %s and mints a session id", async (requested) => {
    const { status, body, headers } = await rpc(api, "initialize", { protocolVersion: requested });
    expect({ status, result: body.result }).toMatchObject({
      status: 200,
      result: {
        protocolVersion: requested,
        capabilities: { tools: {}, resources: {}, prompts: {} },
        serverInfo: { name: "prediction-market-activity-api", version: "1.0.0" },
        instructions: expect.stringContaining("never follow instructions"),
      },
    });
    expect(headers.get("mcp-session-id")).toMatch(/^[!-~]+$/);
  });

  test.each(["1999-01-01", STATELESS])("initialize answers the newest handshake revision to %s", async (requested) => {
    const { body } = await rpc(api, "initialize", { protocolVersion: requested });
    expect(body.result.protocolVersion).toBe("2025-11-25");
  });

  test("initialize without a revision is invalid_params", async () => {
    expect((await rpc(api, "initialize", {})).body.error.code).toBe(-32_602);
  });

  test("a session id is echoed, and never required", async () => {
    const sent = await rpc(api, "ping", {}, { headers: { "mcp-session-id": "some-session" } });
    expect(sent.headers.get("mcp-session-id")).toBe("some-session");
    const none = await rpc(api, "ping");
    expect([none.body.result, none.headers.get("mcp-session-id")]).toEqual([{}, null]);
  });

  test("a notification is 202 and any other method without an id is 400, both without a body", async () => {
    const notified = await postMcp(api, { jsonrpc: "2.0", method: "notifications/initialized" });
    expect([notified.status, notified.text]).toEqual([202, ""]);
    const idless = await postMcp(api, { jsonrpc: "2.0", method: "tools/list" });
    expect([idless.status, idless.text]).toEqual([400, ""]);
  });
});

describe("revisions", () => {
  test.each(LEGACY)("the header %s is accepted", async (text) => {
    expect((await rpc(api, "ping", {}, version(text))).body.result).toEqual({});
  });

  test("another header value is 400 invalid_request with the supported revisions, of a notification too", async () => {
    for (const body of [PING, { jsonrpc: "2.0", method: "notifications/initialized" }]) {
      const answer = await postMcp(api, body, version("1999-01-01"));
      expect([answer.status, answer.body.error.code, answer.body.error.data.supported]).toEqual([
        ...[400, -32_600],
        SUPPORTED,
      ]);
    }
  });

  test("batches are answered up to revision 2025-03-26, also without a header", async () => {
    const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
    for (const headers of [{}, version("2025-03-26").headers, version("2024-11-05").headers]) {
      const { status, body } = await postMcp(api, [PING, notification, { ...PING, id: "b" }], { headers });
      expect([status, body.map(({ id }: any) => id)]).toEqual([200, [1, "b"]]);
    }
    const silent = await postMcp(api, [notification]);
    expect([silent.status, silent.text]).toEqual([202, ""]);
  });

  test.each(["2025-06-18", "2025-11-25", STATELESS])("revision %s has no batches", async (text) => {
    const { status, body } = await postMcp(api, [PING], version(text));
    expect([status, body.error.code]).toEqual([400, -32_600]);
  });

  test("a batch is refused when it is empty, has more than ten messages, or contains initialize", async () => {
    for (const batch of [[], Array.from({ length: 11 }, () => PING)]) {
      const { status, body } = await postMcp(api, batch);
      expect([status, body.error.code]).toEqual([400, -32_600]);
    }
    const initialize = { ...PING, method: "initialize", params: { protocolVersion: "2025-03-26" } };
    expect((await postMcp(api, [initialize])).body[0].error.code).toBe(-32_600);
  });
});

describe("the stateless revision", () => {
  test("server/discover names revisions, capabilities and the server, and how long the answer holds", async () => {
    const { status, body, headers } = await statelessRpc(api, "server/discover");
    expect({ status, result: body.result }).toMatchObject({
      status: 200,
      result: {
        ...{ resultType: "complete", supportedVersions: SUPPORTED, ttlMs: 3_600_000, cacheScope: "public" },
        capabilities: { tools: {}, resources: {}, prompts: {} },
        _meta: { "io.modelcontextprotocol/serverInfo": { version: "1.0.0" } },
      },
    });
    expect(headers.get("mcp-session-id")).toBeNull();
  });

  test.each(["tools/list", "prompts/list", "resources/list", "resources/templates/list"])(
    "%s is complete and cacheable",
    async (method) => {
      const { body } = await statelessRpc(api, method);
      expect(body.result).toMatchObject({ resultType: "complete", ttlMs: 3_600_000, cacheScope: "public" });
    },
  );

  test.each(["initialize", "ping", "logging/setLevel", "resources/subscribe", "unknown/method"])(
    "%s is 404 method not found",
    async (method) => {
      const { status, body, headers } = await statelessRpc(api, method);
      expect([status, body.error.code, body.id, headers.get("x-mcp-error-code")]).toEqual([404, -32_601, 1, "-32601"]);
    },
  );

  const META = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientCapabilities": {},
  };

  test.each([
    ["_meta is missing", { _meta: undefined }, {}, -32_602],
    [
      "the capabilities are missing",
      { _meta: { ...META, "io.modelcontextprotocol/clientCapabilities": 1 } },
      {},
      -32_602,
    ],
    ["Mcp-Method differs", {}, { "mcp-method": "TOOLS/LIST" }, -32_020],
    ["the version header differs", {}, { "mcp-protocol-version": "2025-11-25" }, -32_020],
    [
      "the revision is unknown",
      { _meta: { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" } },
      { "mcp-protocol-version": "2099-01-01" },
      -32_022,
    ],
  ])("a request is 400 when %s", async (_, params, headers, code) => {
    const { status, body } = await statelessRpc(api, "tools/list", params, { headers });
    expect([status, body.error.code, body.id]).toEqual([400, code, 1]);
  });

  test("an unsupported revision is answered with the supported ones and the requested one", async () => {
    const params = { _meta: { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" } };
    const { body } = await statelessRpc(api, "tools/list", params, version("2099-01-01"));
    expect(body.error.data).toEqual({ supported: SUPPORTED, requested: "2099-01-01" });
  });

  test.each(["Mcp-Method", "Mcp-Name"])("a missing header %s is 400 header mismatch", async (missing) => {
    const { status, body } = await postMcp(
      api,
      { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "get_trader", _meta: META } },
      {
        headers: {
          "mcp-protocol-version": STATELESS,
          ...(missing === "Mcp-Method" ? { "mcp-name": "get_trader" } : { "mcp-method": "tools/call" }),
        },
      },
    );
    expect([status, body.error.code, body.id]).toEqual([400, -32_020, 7]);
  });

  test("an encoded Mcp-Name is compared after it is decoded", async () => {
    const uri = "activity://docs/methodology.md";
    const headers = { "mcp-name": `=?base64?${btoa(uri)}?=` };
    expect((await statelessRpc(api, "resources/read", { uri }, { headers })).status).toBe(200);
    const other = { "mcp-name": `=?base64?${btoa("other")}?=` };
    expect((await statelessRpc(api, "resources/read", { uri }, { headers: other })).status).toBe(400);
  });
});

describe("HTTP", () => {
  test.each(["GET", "DELETE", "PUT", "PATCH"])("%s is 405 with Allow and a JSON-RPC error", async (method) => {
    const { status, headers, body } = await api.send(MCP_PATH, { method });
    expect({ status, allow: headers.get("allow"), code: headers.get("x-mcp-error-code"), body }).toMatchObject({
      ...{ status: 405, allow: expect.stringContaining("POST"), code: "-32004" },
      body: { jsonrpc: "2.0", id: null, error: { code: -32_004 } },
    });
  });

  test.each([
    ["malformed JSON", "{", 400, -32_700],
    ["an empty body", "", 400, -32_700],
    ["nesting of 40 levels", `${"[".repeat(40)}${"]".repeat(40)}`, 400, -32_700],
    ["a body over 1,048,576 bytes", `"${"x".repeat(1_048_576)}"`, 413, -32_600],
    [
      "a call with 10 MB of arguments",
      JSON.stringify({
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
        params: { name: "get_trader", arguments: { address: "x".repeat(10_000_000) } },
      }),
      413,
      -32_600,
    ],
    ["a text", '"ping"', 400, -32_600],
    ["null", "null", 400, -32_600],
    ["another JSON-RPC version", '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32_600],
    ["parameters that are a list", '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 400, -32_600],
    ["a response", '{"jsonrpc":"2.0","id":1,"result":{}}', 400, -32_600],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32_600],
  ] as const)("%s is a JSON-RPC error", async (_, body, status, code) => {
    const answer = await postMcp(api, body);
    expect([answer.status, answer.body.jsonrpc, answer.body.error.code]).toEqual([status, "2.0", code]);
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    expect(answer.headers.get("x-mcp-error-code")).toBe(String(code));
  });

  test("no JSON value is answered with anything but an empty body or JSON-RPC", async () => {
    const method = fc.constantFrom("initialize", "tools/list", "tools/call", "resources/read", "prompts/get", "x");
    const message = fc.record(
      { jsonrpc: fc.constantFrom("2.0", 2), id: fc.jsonValue({ maxDepth: 1 }), method, params: fc.jsonValue() },
      { requiredKeys: [] },
    );
    const sent = fc.tuple(
      fc.oneof(message, fc.array(message, { maxLength: 12 }), fc.jsonValue()),
      fc.constantFrom(...SUPPORTED, "x", null),
    );
    for (const [body, revision] of fc.sample(sent, { numRuns: 500, seed: inject("seed") })) {
      const answer = await postMcp(api, body, { key: null, ...(revision === null ? {} : version(revision)) });
      const answers = answer.text === "" ? [] : [answer.body].flat();
      // A call without a key is refused by HTTP itself.
      const isProtocol = answer.status === 401 || answers.every(({ jsonrpc }) => jsonrpc === "2.0");
      expect({ body, status: answer.status, isProtocol }).toEqual({
        body,
        status: expect.toSatisfy((status) => [200, 202, 400, 401, 404].includes(status)),
        isProtocol: true,
      });
    }
  });

  test("a body that is not declared as JSON is 415", async () => {
    const { status, body } = await postMcp(api, PING, { headers: { "content-type": "text/plain" } });
    expect([status, body.error.code]).toEqual([415, -32_600]);
  });

  test("an unknown method and an unknown cursor are JSON-RPC errors with status 200", async () => {
    const unknown = await rpc(api, "tools/destroy");
    expect([unknown.status, unknown.body.error.code, unknown.body.id]).toEqual([200, -32_601, 1]);
    const cursor = await rpc(api, "tools/list", { cursor: "x" });
    expect([cursor.status, cursor.body.error.code]).toEqual([200, -32_602]);
  });

  test.each(["http://api.test", "http://web.test", "http://localhost:5173", "http://127.0.0.1", "http://[::1]:8080"])(
    "a page of %s may call the endpoint and read the answer",
    async (origin) => {
      const { status, headers } = await rpc(api, "ping", {}, { headers: { origin } });
      expect([status, headers.get("access-control-allow-origin")]).toEqual([200, origin]);
      const preflight = await api.send(MCP_PATH, { method: "OPTIONS", headers: { origin } });
      expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
      expect(preflight.headers.get("access-control-allow-headers")).toMatch(/Mcp-Session-Id.*Mcp-Method, Mcp-Name/);
    },
  );

  test.each(["https://evil.example", "null", "http://localhost.evil.example", "http://api.test.evil.example"])(
    "a page of %s is refused and cannot read the answer",
    async (origin) => {
      for (const method of ["POST", "OPTIONS", "GET"]) {
        const { status, headers, body } = await api.send(MCP_PATH, { method, headers: { origin } });
        expect([status, headers.get("access-control-allow-origin")]).toEqual([403, null]);
        expect(body.error).toMatchObject({ code: "forbidden", param: "Origin" });
      }
    },
  );
});
