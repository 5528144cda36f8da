import { beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { createTestDatabase } from "../../support/database.ts";
import { aKey } from "../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../support/kernel/open-kernel.ts";
import { pathOf } from "../../support/kernel/registry-paths.ts";

let api: Kernel;

beforeAll(async () => {
  const { db, databaseUrl } = await createTestDatabase();
  api = openKernel(openTestRuntime(databaseUrl), OPERATIONS, await aKey(db));
});

// A new id and a new duration belong to every request.
const ownOfRequest = new Set(["x-request-id", "server-timing"]);
const lasting = (headers: Headers) => [...headers].filter(([name]) => !ownOfRequest.has(name));

describe.for(OPERATIONS)("$id", (operation) => {
  test("answers HEAD with the status and headers of GET and no body", async () => {
    const path = pathOf(operation, "nonsense=1");
    const get = await api.send(path);
    const head = await api.send(path, { method: "HEAD" });
    expect(head.status).toBe(get.status);
    expect(lasting(head.headers)).toEqual(lasting(get.headers));
    expect(head.headers.get("x-request-id")).toMatch(/^req_/);
    expect(head.text).toBe("");
  });

  test("lets a browser of any origin ask before it reads", async () => {
    const headers = {
      origin: "https://anyone.test",
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    };
    const answer = await api.send(pathOf(operation), { method: "OPTIONS", key: null, headers });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe("");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-methods")?.split(", ")).toContain("GET");
    expect(answer.headers.get("access-control-max-age")).toBe("86400");
    expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
  });
});

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

test("a preflight allows the request headers that the contract lists", async () => {
  const answer = await api.send("/api/v1/large-trades", { method: "OPTIONS", headers: { origin: "https://anyone.test" } });
  expect(answer.headers.get("access-control-allow-headers")?.toLowerCase().split(", ").toSorted()).toEqual([
    "authorization",
    "content-type",
    "idempotency-key",
    "if-none-match",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
    "x-query-validation",
  ]);
});

test.for([
  ["an answer", "/api/v1/coverage", 200],
  ["a refusal", "/api/v1/large-trades?limit=abc", 400],
  ["an unknown path", "/api/v1/nothing", 404],
] as const)("%s can be read by a page of any origin, with the headers that matter to it", async ([, path, status]) => {
  const answer = await api.send(path, { headers: { origin: "https://anyone.test" } });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  const exposed = answer.headers.get("access-control-expose-headers")?.split(", ");
  expect(exposed).toEqual(
    expect.arrayContaining(["ETag", "Retry-After", "X-Request-Id", "X-Query-Ignored", "X-Effective-Query", "Deprecation", "Link"]),
  );
});
