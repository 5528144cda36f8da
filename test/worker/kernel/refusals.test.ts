import { beforeAll, describe, expect, test } from "vitest";
import { takesCursor } from "../../../src/api/operation.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { createTestDatabase } from "../../support/database.ts";
import { expectApiError, expectRequestId, type ExpectedError } from "../../support/kernel/api-error.ts";
import { aKey } from "../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../support/kernel/open-kernel.ts";
import { pathOf } from "../../support/kernel/registry-paths.ts";

let api: Kernel;

beforeAll(async () => {
  const { db, databaseUrl } = await createTestDatabase();
  api = openKernel(openTestRuntime(databaseUrl), OPERATIONS, await aKey(db));
});

const bad = (reason: string | null, param: string): ExpectedError => ({ status: 400, code: "bad_request", reason, param });
const badQuery = (param: string) => bad("invalid_query", param);
const UNKNOWN: ExpectedError = { status: 404, code: "not_found", reason: "unknown_endpoint", param: null };

describe("a path that is no route is 404 unknown_endpoint", () => {
  test.for(["/", "/api", "/api/v1/", "/api/v1/nothing", "/api/v1/large-trades/1/2", "/api/v2/health", "/api/v1/%zz", "/api/v1/<script>"])(
    "%s",
    async (path) => {
      expectApiError(await api.send(path), UNKNOWN);
    },
  );

  test.for(["POST", "DELETE", "OPTIONS"])("under %s too", async (method) => {
    expectApiError(await api.send("/api/v1/nothing", { method }), UNKNOWN);
  });
});

describe.for(OPERATIONS)("$id", (operation) => {
  const own = operation.method.toUpperCase();
  const others = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(
    (method) => !OPERATIONS.some((served) => served.path === operation.path && served.method.toUpperCase() === method),
  );

  test.for(others)("refuses %s with 405 and an Allow header that lists its own method", async (method) => {
    const answer = await api.send(pathOf(operation), { method });
    expectApiError(answer, { status: 405, code: "bad_request", reason: "method_not_allowed", param: null });
    expect(answer.headers.get("allow")?.split(", ")).toContain(own);
    expect(answer.headers.get("allow")?.split(", ")).not.toContain(method);
  });

  test.for([
    ["nonsense=1", "nonsense"],
    // The name is refused before its value or its own escapes are read.
    ["nonsense=%zz", "nonsense"],
    ["nonsense%2=1", "nonsense%2"],
    ["constructor=1", "constructor"],
  ])("refuses ?%s in strict mode and says what it takes", async ([query, param]) => {
    const answer = await api.send(pathOf(operation, query), { method: own, headers: { "x-query-validation": "strict" } });
    expectApiError(answer, bad("unknown_query_parameter", param ?? ""));
    const accepted = [...Object.keys(operation.query), ...(takesCursor(operation) ? ["cursor"] : [])];
    for (const name of accepted) expect(answer.body.error.message).toContain(name);
  });
});

describe("a path value of the wrong kind is 400 naming the segment", () => {
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
  ])("%s", async ([path, expected]) => {
    expectApiError(await api.send(path), expected);
  });
});

describe("a query value that fails its declaration is 400 invalid_query naming the parameter", () => {
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
  ])("%s", async ([path, param]) => {
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

test("every request has an id of its own", async () => {
  const answers = [await api.send("/api/v1/nothing"), await api.send("/api/v1/nothing"), await api.send("/api/v1")];
  for (const answer of answers) expectRequestId(answer);
  expect(new Set(answers.map(({ body }) => body.meta.request_id)).size).toBe(3);
});
