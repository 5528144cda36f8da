import { beforeAll, describe, expect, test } from "vitest";
import { takesCursor } from "../../../../src/api/operation.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { expectApiError, expectRequestId, type ExpectedError } from "../../../support/kernel/api-error.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../../support/kernel/open-kernel.ts";
import { NO_REQUEST_LIMITS } from "../../../support/api/unlimited.ts";
import { aSession } from "../../../support/web/members.ts";

let api: Kernel;

beforeAll(async () => {
  const { db, databaseUrl } = await createTestDatabase();
  const runtime = { ...openTestRuntime(databaseUrl), requestLimiter: NO_REQUEST_LIMITS };
  api = openKernel(runtime, OPERATIONS, await aKey(db), await aSession(runtime));
});

const bad = (reason: string | null, param: string): ExpectedError => ({
  status: 400,
  code: "bad_request",
  reason,
  param,
});
const badQuery = (param: string) => bad("invalid_query", param);
const UNKNOWN: ExpectedError = { status: 404, code: "not_found", reason: "unknown_endpoint", param: null };

describe("unknown paths", () => {
  test.for([
    "/",
    "/api",
    "/api/v1/",
    "/api/v1/nothing",
    "/api/v1/large-trades/1/2",
    "/api/v2/health",
    "/api/v1/%zz",
    "/api/v1/<script>",
  ])("the path %s returns 404 unknown_endpoint", async (path) => {
    expectApiError(await api.send(path), UNKNOWN);
  });

  test.for(["POST", "DELETE", "OPTIONS"])("an unknown path returns 404 unknown_endpoint for %s too", async (method) => {
    expectApiError(await api.send("/api/v1/nothing", { method }), UNKNOWN);
  });
});

describe.for(OPERATIONS)("$id", (operation) => {
  const own = operation.method.toUpperCase();
  const others = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(
    (method) => !OPERATIONS.some((served) => served.path === operation.path && served.method.toUpperCase() === method),
  );

  test.for(others)("the operation refuses %s with 405 and its own method in Allow", async (method) => {
    const response = await api.sendTo(operation, { method });
    expectApiError(response, { status: 405, code: "bad_request", reason: "method_not_allowed", param: null });
    expect(response.headers.get("allow")?.split(", ")).toContain(own);
    expect(response.headers.get("allow")?.split(", ")).not.toContain(method);
  });

  test.for([
    ["nonsense=1", "nonsense"],
    // Strict mode checks the names before any value or escape is decoded.
    ["nonsense=%zz", "nonsense"],
    ["nonsense%2=1", "nonsense%2"],
    ["constructor=1", "constructor"],
  ])("strict mode refuses ?%s and lists the accepted names", async ([query, param]) => {
    const response = await api.sendTo(operation, { query, headers: { "x-query-validation": "strict" } });
    expectApiError(response, bad("unknown_query_parameter", param ?? ""));
    const accepted = [...Object.keys(operation.query), ...(takesCursor(operation) ? ["cursor"] : [])];
    for (const name of accepted) expect(response.body.error.message).toContain(name);
  });
});

describe("invalid path values", () => {
  test.for<[string, ExpectedError]>([
    ["/api/v1/large-trades/abc", bad("invalid_path", "id")],
    ["/api/v1/large-trades/0", bad("invalid_path", "id")],
    ["/api/v1/large-trades/1.5", bad("invalid_path", "id")],
    ["/api/v1/large-trades/-1", bad("invalid_path", "id")],
    ["/api/v1/large-trades/rf_1", bad("invalid_path", "id")],
    ["/api/v1/large-trades/%00", bad("invalid_path", "id")],
    ["/api/v1/large-trades/1%00", bad("invalid_path", "id")],
    ["/api/v1/large-trades/1%0A", bad("invalid_path", "id")],
    ["/api/v1/trader/%", bad("invalid_path", "address")],
    ["/api/v1/trader/%zz", bad("invalid_path", "address")],
    ["/api/v1/trader/%E0%A4%A", bad("invalid_path", "address")],
    ["/api/v1/trader/0x%00", bad("invalid_path", "address")],
    ["/api/v1/trader/mkt_1", bad(null, "address")],
    ["/api/v1/trader/wt_1", bad(null, "address")],
    ["/api/v1/trader/rf_1", bad(null, "address")],
    ["/api/v1/market/trd_1/snapshot", bad(null, "condition_id")],
    ["/api/v1/market/wt_1/snapshot", bad(null, "condition_id")],
    ["/api/v1/market/0x12/snapshot", bad(null, "condition_id")],
  ])("the path %s returns 400 with the invalid segment as param", async ([path, expected]) => {
    expectApiError(await api.send(path), expected);
  });
});

describe("invalid query values", () => {
  test.for([
    ["/api/v1/large-trades?min_size=abc", "min_size"],
    ["/api/v1/large-trades?min_size=1e999", "min_size"],
    ["/api/v1/large-trades?min_grade=Z", "min_grade"],
    ["/api/v1/large-trades?min_market_volume_share=2", "min_market_volume_share"],
    ["/api/v1/large-trades?suspicious_only=perhaps", "suspicious_only"],
    ["/api/v1/large-trades?since=rf_1", "since"],
    ["/api/v1/large-trades?sort=%zz", "sort"],
    ["/api/v1/large-trades?limit=%zz", "limit"],
    ["/api/v1/large-trades?cursor=%zz", "cursor"],
    ["/api/v1/large-trades?limit=1&limit=2", "limit"],
    ["/api/v1/large-trades?min_size=1&min_size=1", "min_size"],
    ["/api/v1/large-trades?cursor=a&cursor=b", "cursor"],
    ["/api/v1/large-trades?category=%00", "category"],
    ["/api/v1/large-trades/history?from=yesterday", "from"],
    ["/api/v1/large-trades/history?from=2026-13-01T00:00:00Z", "from"],
    ["/api/v1/large-trades/history?from=0000-01-01T00:00:00Z", "from"],
    ["/api/v1/large-trades/history?from=0001-01-01T00:00:00%2B01:00", "from"],
    ["/api/v1/large-trades/history?to=9999-12-31T23:59:59-01:00", "to"],
    ["/api/v1/large-trades/history?condition_id=%00", "condition_id"],
    ["/api/v1/markets/search", "q"],
    ["/api/v1/markets/search?q=", "q"],
    ["/api/v1/markets/search?q=a%00b", "q"],
    ["/api/v1/trader/0xab?max_age_s=soon", "max_age_s"],
  ])("%s returns 400 invalid_query with the parameter's name", async ([path, param]) => {
    expectApiError(await api.send(path ?? ""), badQuery(param ?? ""));
  });
});

test.for<[string, string, ExpectedError]>([
  ["a path", "/api/v1/", UNKNOWN],
  ["a path value", "/api/v1/trader/", bad("invalid_path", "address")],
  ["a query value", "/api/v1/markets/search?q=", badQuery("q")],
  ["a cursor", "/api/v1/large-trades?cursor=", badQuery("cursor")],
])("%s of 8,000 characters is refused like a short one", async ([, path, expected]) => {
  expectApiError(await api.send(path + "x".repeat(8_000)), expected);
});

test("every request has its own request id", async () => {
  const responses = [await api.send("/api/v1/nothing"), await api.send("/api/v1/nothing"), await api.send("/api/v1")];
  for (const response of responses) expectRequestId(response);
  expect(new Set(responses.map(({ body }) => body.meta.request_id)).size).toBe(3);
});
