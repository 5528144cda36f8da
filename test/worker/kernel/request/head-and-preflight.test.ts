import { beforeAll, describe, expect, test } from "vitest";
import { API_OPERATIONS, OPERATIONS, WEB_OPERATIONS } from "../../../../src/operations/index.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel, type KernelRequest } from "../../../support/kernel/open-kernel.ts";
import { pathOf } from "../../../support/kernel/registry-paths.ts";
import { aSession } from "../../../support/web/members.ts";

let api: Kernel;

beforeAll(async () => {
  const { db, databaseUrl } = await createTestDatabase();
  const runtime = openTestRuntime(databaseUrl);
  api = openKernel(runtime, OPERATIONS, await aKey(db), await aSession(runtime));
});

// These headers differ between any two requests.
const ownOfRequest = new Set([
  "x-request-id",
  "x-web-request-id",
  "server-timing",
  "ratelimit-reset",
  "x-ratelimit-reset",
  "x-monthly-quota-reset",
]);
/** A random time to retry after differs too: only its form is compared. */
const formOf = (name: string, value: string) => (name === "retry-after" ? /^[1-9]\d*$/.test(value) : value);
const stableHeaders = (headers: Headers) =>
  [...headers].filter(([name]) => !ownOfRequest.has(name)).map(([name, value]) => [name, formOf(name, value)]);

// A stream has no end; another test shows that HEAD opens none.
test.for(OPERATIONS.filter(({ method, kind }) => method === "get" && kind !== "stream"))(
  "$id answers HEAD with the status and headers of GET and no body",
  async (operation) => {
    const get = await api.sendTo(operation, { query: "nonsense=1" });
    const head = await api.sendTo(operation, { query: "nonsense=1", method: "HEAD" });
    expect(head.status).toBe(get.status);
    expect(stableHeaders(head.headers)).toEqual(stableHeaders(get.headers));
    expect(head.headers.get("x-request-id")).toMatch(/^req_/);
    expect(head.text).toBe("");
  },
);

test("a HEAD request for an unknown path returns 404 without a body", async () => {
  const response = await api.send("/api/v1/nothing", { method: "HEAD" });
  expect(response.status).toBe(404);
  expect(response.text).toBe("");
  expect(response.headers.get("content-type")).toMatch(/^application\/json\b/);
});

test("a HEAD request without a key returns 401 without a body", async () => {
  const response = await api.send("/api/v1/large-trades", { method: "HEAD", key: null });
  expect(response.status).toBe(401);
  expect(response.text).toBe("");
});

// Copied from rule 12 of the specification's Authentication section.
const ALLOWED =
  "Authorization, Content-Type, If-None-Match, Idempotency-Key, Mcp-Session-Id, Mcp-Protocol-Version, Last-Event-Id, X-Query-Validation";
const EXPOSED =
  "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, " +
  "X-Request-Id, X-Request-Cost, X-Usage-Accounting, X-Batch-RateLimit-Limit, X-Batch-RateLimit-Remaining, X-Batch-RateLimit-Reset, " +
  "X-Monthly-Quota-Limit, X-Monthly-Quota-Remaining, X-Monthly-Quota-Reset, Mcp-Session-Id, X-Mcp-Error-Code, X-Query-Ignored, " +
  "X-Effective-Query, Deprecation, Sunset, Link, Server-Timing";
const ANYONE = "https://anyone.test";

/** The CORS headers of a response. */
const corsHeaders = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));

test.for(API_OPERATIONS)("a CORS preflight for $id is granted to any origin without credentials", async (operation) => {
  const method = operation.method.toUpperCase();
  const headers = {
    origin: ANYONE,
    "access-control-request-method": method,
    "access-control-request-headers": "authorization,x-query-validation",
  };
  const response = await api.send(pathOf(operation), { method: "OPTIONS", key: null, headers });
  expect([response.status, response.text]).toEqual([204, ""]);
  expect(corsHeaders(response.headers)).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-allow-headers": ALLOWED,
    "access-control-max-age": "86400",
  });
  expect(response.headers.get("access-control-allow-methods")?.split(", ")).toContain(method);
  expect(response.headers.has("access-control-allow-credentials")).toBe(false);
});

test("a CORS preflight for the link of a download is granted, because pages follow redirects with their key", async () => {
  const headers = {
    origin: ANYONE,
    "access-control-request-method": "GET",
    "access-control-request-headers": "authorization",
  };
  const response = await api.send("/files/exports/1.csv.gz", { method: "OPTIONS", key: null, headers });
  expect([response.status, response.text]).toEqual([204, ""]);
  expect(corsHeaders(response.headers)).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, HEAD, OPTIONS",
    "access-control-allow-headers": ALLOWED,
  });
});

test.for(WEB_OPERATIONS)("a CORS preflight for $id is granted to the website only", async (operation) => {
  const own = await api.sendTo(operation, { method: "OPTIONS" });
  expect([own.status, own.text]).toEqual([204, ""]);
  expect(corsHeaders(own.headers)).toMatchObject({
    "access-control-allow-origin": "http://web.test",
    "access-control-allow-credentials": "true",
  });
  expect(own.headers.get("access-control-allow-methods")?.split(", ")).toContain(operation.method.toUpperCase());
  const foreign = await api.sendTo(operation, { method: "OPTIONS", headers: { origin: ANYONE } });
  expect(foreign.status).toBe(403);
  expect(corsHeaders(foreign.headers)).toEqual({});
});

describe("CORS headers", () => {
  test.for<[string, string, number, KernelRequest]>([
    ["a public response", "/api/v1/coverage", 200, {}],
    ["a response that needs a key", "/api/v1/large-trades", 200, {}],
    ["a 304", "/api/v1/health", 304, { headers: { "if-none-match": "*" } }],
    ["a redirect", "/api/v1/openapi.json", 307, {}],
    ["an invalid query error", "/api/v1/large-trades?limit=abc", 400, {}],
    ["a 401", "/api/v1/large-trades", 401, { key: null }],
    ["a 404 for an unknown path", "/api/v1/nothing", 404, {}],
    ["a 405", "/api/v1/large-trades", 405, { method: "DELETE" }],
  ])(
    "a page of any origin can read %s, with the exposed headers and without credentials",
    async ([, path, status, { headers, ...sent }]) => {
      for (const origin of [ANYONE, "null", "http://localhost:3000"]) {
        const response = await api.send(path, { ...sent, headers: { ...headers, origin } });
        expect(response.status).toBe(status);
        expect(corsHeaders(response.headers)).toEqual({
          "access-control-allow-origin": "*",
          "access-control-expose-headers": EXPOSED,
        });
      }
    },
  );
});
