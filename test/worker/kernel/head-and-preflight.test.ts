import { beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { createTestDatabase } from "../../support/database.ts";
import { aKey } from "../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel, type Sent } from "../../support/kernel/open-kernel.ts";
import { pathOf } from "../../support/kernel/registry-paths.ts";

let api: Kernel;

beforeAll(async () => {
  const { db, databaseUrl } = await createTestDatabase();
  api = openKernel(openTestRuntime(databaseUrl), OPERATIONS, await aKey(db));
});

// A new id and a new duration belong to every request.
const ownOfRequest = new Set(["x-request-id", "server-timing", "ratelimit-reset", "x-ratelimit-reset", "x-monthly-quota-reset"]);
const lasting = (headers: Headers) => [...headers].filter(([name]) => !ownOfRequest.has(name));

// A stream has no end; that HEAD begins none is tested with it.
test.for(OPERATIONS.filter(({ method, kind }) => method === "get" && kind !== "stream"))(
  "$id answers HEAD with the status and headers of GET and no body",
  async (operation) => {
    const path = pathOf(operation, "nonsense=1");
    const get = await api.send(path);
    const head = await api.send(path, { method: "HEAD" });
    expect(head.status).toBe(get.status);
    expect(lasting(head.headers)).toEqual(lasting(get.headers));
    expect(head.headers.get("x-request-id")).toMatch(/^req_/);
    expect(head.text).toBe("");
  },
);

test("HEAD of an unknown path is 404 without a body", async () => {
  const answer = await api.send("/api/v1/nothing", { method: "HEAD" });
  expect(answer.status).toBe(404);
  expect(answer.text).toBe("");
  expect(answer.headers.get("content-type")).toMatch(/^application\/json\b/);
});

test("HEAD is refused without a key as GET is", async () => {
  const answer = await api.send("/api/v1/large-trades", { method: "HEAD", key: null });
  expect(answer.status).toBe(401);
  expect(answer.text).toBe("");
});

// Rule 12 of the specification's Authentication section, word for word.
const ALLOWED =
  "Authorization, Content-Type, If-None-Match, Idempotency-Key, Mcp-Session-Id, Mcp-Protocol-Version, Last-Event-Id, X-Query-Validation";
const EXPOSED =
  "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, " +
  "X-Request-Id, X-Request-Cost, X-Usage-Accounting, X-Batch-RateLimit-Limit, X-Batch-RateLimit-Remaining, X-Batch-RateLimit-Reset, " +
  "X-Monthly-Quota-Limit, X-Monthly-Quota-Remaining, X-Monthly-Quota-Reset, Mcp-Session-Id, X-Mcp-Error-Code, X-Query-Ignored, " +
  "X-Effective-Query, Deprecation, Sunset, Link, Server-Timing";
const ANYONE = "https://anyone.test";

/** Only these speak to browsers: never of cookies, and of nothing else. */
const corsHeaders = (headers: Headers) => Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));

test.for(OPERATIONS)("$id lets a browser of any origin ask before it sends", async (operation) => {
  const method = operation.method.toUpperCase();
  const headers = {
    origin: ANYONE,
    "access-control-request-method": method,
    "access-control-request-headers": "authorization,x-query-validation",
  };
  const answer = await api.send(pathOf(operation), { method: "OPTIONS", key: null, headers });
  expect([answer.status, answer.text]).toEqual([204, ""]);
  expect(corsHeaders(answer.headers)).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-allow-headers": ALLOWED,
    "access-control-max-age": "86400",
  });
  expect(answer.headers.get("access-control-allow-methods")?.split(", ")).toContain(method);
  expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
});

describe("a page of any origin can read, with the headers that matter to it and without cookies,", () => {
  test.for<[string, string, number, Sent]>([
    ["an answer", "/api/v1/coverage", 200, {}],
    ["an answer behind a key", "/api/v1/large-trades", 200, {}],
    ["that nothing has changed", "/api/v1/health", 304, { headers: { "if-none-match": "*" } }],
    ["a redirect", "/api/v1/openapi.json", 307, {}],
    ["a refusal", "/api/v1/large-trades?limit=abc", 400, {}],
    ["that its key is refused", "/api/v1/large-trades", 401, { key: null }],
    ["that there is no such path", "/api/v1/nothing", 404, {}],
    ["that there is no such method", "/api/v1/large-trades", 405, { method: "DELETE" }],
  ])("%s", async ([, path, status, { headers, ...sent }]) => {
    for (const origin of [ANYONE, "null", "http://localhost:3000"]) {
      const answer = await api.send(path, { ...sent, headers: { ...headers, origin } });
      expect(answer.status).toBe(status);
      expect(corsHeaders(answer.headers)).toEqual({ "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED });
    }
  });
});
