import { expect, test } from "vitest";
import { isAllowedOrigin } from "../../../src/mcp/protocol/allowed-origin.ts";
import { decideRevision } from "../../../src/mcp/protocol/decide-revision.ts";
import { decodeHeaderValue } from "../../../src/mcp/protocol/header-value.ts";
import { parseMessage, presentRpcError, RpcError } from "../../../src/mcp/protocol/json-rpc.ts";
import { negotiateVersion } from "../../../src/mcp/protocol/versions.ts";

test.each([
  [
    { jsonrpc: "2.0", id: 1, method: "ping" },
    { kind: "request", id: 1, method: "ping", params: {} },
  ],
  [
    { jsonrpc: "2.0", id: null, method: "ping" },
    { kind: "request", id: null, method: "ping", params: {} },
  ],
  [{ jsonrpc: "2.0", method: "notifications/x" }, { kind: "notification" }],
  [{ jsonrpc: "2.0", method: "ping" }, { kind: "idless" }],
  [
    { jsonrpc: "2.0", id: "a", method: 5 },
    { kind: "invalid", id: "a" },
  ],
  [
    { id: {}, method: "ping" },
    { kind: "invalid", id: null },
  ],
  [[], { kind: "invalid", id: null }],
  [5, { kind: "invalid", id: null }],
])("the message %j is classified", (value, expected) => {
  expect(parseMessage(value)).toMatchObject(expected);
});

test("an error without a readable id carries null, or leaves the id out", () => {
  const error = new RpcError(-32_700, "Parse error");
  expect(JSON.parse(presentRpcError(null, error))).toEqual({
    ...{ jsonrpc: "2.0", id: null },
    error: { code: -32_700, message: "Parse error" },
  });
  expect(JSON.parse(presentRpcError(undefined, error))).not.toHaveProperty("id");
});

test.each([
  ["us-west1", "us-west1"],
  ["=?base64?SGVsbG8sIOS4lueVjA==?=", "Hello, 世界"],
  ["=?base64?IHBhZGRlZCA=?=", " padded "],
  ["=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?literal?="],
  ["=?base64?SGVsbG8?=", null],
  ["=?base64?SGVs!!!bG8=?=", null],
  ["=?base64?/w==?=", null],
  ["=?base64?SGVsbG8=", "=?base64?SGVsbG8="],
])("the header value %s reads %s", (header, text) => {
  expect(decodeHeaderValue(header)).toBe(text);
});

test.each([
  ["2025-06-18", "2025-06-18"],
  ["2026-07-28", "2025-11-25"],
  ["", "2025-11-25"],
])("initialize with revision '%s' is answered with %s", (requested, answered) => {
  expect(negotiateVersion(requested)).toBe(answered);
});

const OWN = ["https://api.example.com", "https://www.example.com/"];

test.each([
  ["https://api.example.com", true],
  ["https://www.example.com", true],
  ["http://api.example.com", false],
  ["https://api.example.com:8443", false],
  ["https://api.example.com.evil.example", false],
  ["http://localhost:3000", true],
  ["https://127.0.0.1", true],
  ["http://[::1]:1", true],
  ["http://127.0.0.2", false],
  ["ftp://localhost", false],
  ["null", false],
  ["", false],
  ["http://localhost/path", false],
])("the origin '%s' is allowed: %s", (origin, isAllowed) => {
  expect(isAllowedOrigin(origin, OWN)).toBe(isAllowed);
});

const requestOf = (meta: object | null, method = "tools/list") => ({
  id: 1,
  method,
  params: meta === null ? {} : { _meta: meta },
});
const VERSION = "io.modelcontextprotocol/protocolVersion";
const COMPLETE = { [VERSION]: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };

test.each([
  ["no header", {}, requestOf(null), "2025-03-26"],
  ["a header", { "mcp-protocol-version": "2025-11-25" }, requestOf(null), "2025-11-25"],
  [
    "metadata of a handshake revision",
    { "mcp-protocol-version": "2025-11-25" },
    requestOf({ [VERSION]: "2025-11-25" }),
    "2025-11-25",
  ],
  [
    "complete metadata",
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
    requestOf(COMPLETE),
    "2026-07-28",
  ],
])("a request with %s has its revision", (_, headers: Record<string, string>, request, version) => {
  expect(decideRevision(new Headers(headers), request).version).toBe(version);
});

test.each([
  ["an unknown header", { "mcp-protocol-version": "x" }, requestOf(null), -32_600],
  ["metadata without the header", { "mcp-method": "tools/list" }, requestOf(COMPLETE), -32_020],
  ["the header without metadata", { "mcp-protocol-version": "2026-07-28" }, requestOf(null), -32_602],
  ["server/discover without metadata", {}, requestOf(null, "server/discover"), -32_602],
  ["a revision that is no text", { "mcp-protocol-version": "2026-07-28" }, requestOf({ [VERSION]: 5 }), -32_602],
])("a request with %s is refused", (_, headers: Record<string, string>, request, code) => {
  expect(() => decideRevision(new Headers(headers), request)).toThrow(
    expect.objectContaining({ name: "RpcError", code, status: 400 }),
  );
});
