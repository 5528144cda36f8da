import { beforeAll, describe, expect, test, vi } from "vitest";
import { ERRORS, type Reason } from "../../../../src/api/errors.ts";
import { listGenerations } from "../../../../src/db/schema.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { MeterUnavailable } from "../../../../src/ports/meter.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Answer } from "../../../support/kernel/open-kernel.ts";
import { openDemandedApi, type DemandedApi } from "../../../support/registry/open-demanded-api.ts";
import { aWallet } from "../../../support/seed/wallets.ts";

/** Codes and reasons that libraries have classes or names for (section 4). Others read as none. */
const CODES = [
  ...["bad_request", "invalid_api_key", "subscription_required", "forbidden", "not_found", "account_locked", "rate_limited"],
  ...["rate_limit_unavailable", "request_timeout", "internal_error", "insufficient_scope"],
];
const REASONS = [
  ...["freshness_ceiling_unsatisfied", "pick_not_released", "read_model_warming", "database_unavailable", "request_accounting_unavailable"],
  ...["cursor_expired", "unknown_endpoint", "trader_not_tracked", "idempotency_in_progress", "webhook_delivery_in_progress"],
  ...["sandbox_api_key", "api_key_in_query", "unknown_query_parameter", "webhook_secret_rotation_not_prepared"],
  ...["webhook_secret_rotation_overlap_active", "subscription_inactive", "monthly_quota_exceeded", "invalid_query", "invalid_path"],
  ...[
    "invalid_body",
    "unsupported_media_type",
    "payload_too_large",
    "method_not_allowed",
    "ip_rate_limited",
    "ip_throttled",
    "export_expired",
  ],
  // Of the specification alone.
  "max_plan_required",
];

interface Refused {
  readonly status: number;
  readonly code: string;
  readonly reason?: string;
  readonly param: string | null;
}

interface Row extends Refused {
  readonly demand: string;
  ask(demanded: DemandedApi): Promise<Answer>;
  /** What else it demands of the answer. */
  also?(answer: Answer): void;
}

const bad = (param: string | null, reason?: string): Refused => ({
  status: 400,
  code: "bad_request",
  param,
  ...(reason === undefined ? {} : { reason }),
});
const query = (param: string) => bad(param, "invalid_query");
const gone = (param: string | null, reason?: string): Refused => ({ ...bad(param, reason), status: 404, code: "not_found" });
const away = (reason: string): Refused => ({ status: 503, code: "rate_limit_unavailable", reason, param: null });

/** Says when to come back, twice, and later than now. */
const comesBack = ({ headers, body }: Answer) => {
  expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(Date.parse(body.error.retry_at)).toBeGreaterThan(Date.now() - 1_000);
};
const neverComesBack = ({ headers, body }: Answer) =>
  expect({ header: headers.get("retry-after"), body: body.error.retry_at }).toEqual({ header: null, body: undefined });

const REFUSALS: readonly Row[] = [
  { demand: "an unknown path is unknown_endpoint", ...gone(null, "unknown_endpoint"), ask: ({ api }) => api.send("/api/v1/nothing") },
  {
    demand: "another method is method_not_allowed with Allow",
    ...{ ...bad(null, "method_not_allowed"), status: 405 },
    ask: ({ api }) => api.send("/api/v1/leaderboard", { method: "DELETE" }),
    also: ({ headers }) => expect(headers.get("allow")).toContain("GET"),
  },
  {
    demand: "no key is invalid_api_key with a challenge that names the resource metadata",
    ...{ status: 401, code: "invalid_api_key", param: null },
    ask: ({ api }) => api.send("/api/v1/leaderboard", { key: null }),
    also: ({ headers }) => expect(headers.get("www-authenticate")).toMatch(/^Bearer .*resource_metadata="http/),
  },
  {
    demand: "a sandbox key is sandbox_api_key",
    ...{ status: 401, code: "invalid_api_key", reason: "sandbox_api_key", param: null },
    ask: ({ api }) => api.send("/api/v1/leaderboard", { key: `svc_sk_test_${"0".repeat(64)}` }),
  },
  {
    demand: "a key in the URL is api_key_in_query",
    ...{ status: 401, code: "invalid_api_key", reason: "api_key_in_query", param: null },
    ask: ({ api }) => api.send("/api/v1/leaderboard?token=x"),
  },
  {
    demand: "a lapsed subscription is 402 subscription_inactive, for good",
    ...{ status: 402, code: "subscription_required", reason: "subscription_inactive", param: null },
    ask: async ({ api, db }) => api.send("/api/v1/leaderboard", { key: await aKey(db, { state: "lapsed" }) }),
    also: neverComesBack,
  },
  {
    demand: "a locked account is 423 account_locked",
    ...{ status: 423, code: "account_locked", param: null },
    ask: async ({ api, db }) => api.send("/api/v1/leaderboard", { key: await aKey(db, { state: "locked" }) }),
  },
  {
    demand: "a key without the scope is insufficient_scope",
    ...{ status: 403, code: "insufficient_scope", param: null },
    ask: async ({ api, db }) => api.send("/api/v1/leaderboard", { key: await aKey(db, { scopes: ["usage"] }) }),
  },
  {
    demand: "a strict request refuses an unknown name before the handler, even with an incomplete escape",
    ...bad("colour", "unknown_query_parameter"),
    ask: ({ api }) => api.send("/api/v1/trader/nobody?colour=%z", { headers: { "x-query-validation": "strict" } }),
    also: ({ body }) => expect(body.error.message).toContain("expand"),
  },
  { demand: "a limit that is no integer is invalid_query", ...query("limit"), ask: ({ api }) => api.send("/api/v1/leaderboard?limit=ten") },
  {
    demand: "a mangled cursor is refused by its name",
    ...query("cursor"),
    ask: ({ api }) => api.send("/api/v1/leaderboard?cursor=lbv1_x"),
  },
  {
    demand: "a rebuilt list is cursor_expired, and no time brings it back",
    ...bad("cursor", "cursor_expired"),
    async ask({ api, db }) {
      const { body } = await api.send("/api/v1/leaderboard/trending?window=30d&limit=1");
      await db.delete(listGenerations);
      return api.send(`/api/v1/leaderboard/trending?window=30d&limit=1&cursor=${encodeURIComponent(body.next_cursor)}`);
    },
    also: neverComesBack,
  },
  {
    demand: "a list that was never built is read_model_warming and says when to come back",
    ...away("read_model_warming"),
    async ask() {
      const { databaseUrl, db } = await createTestDatabase();
      return openKernel(openTestRuntime(databaseUrl), OPERATIONS, await aKey(db)).send("/api/v1/leaderboard");
    },
    also: comesBack,
  },
  {
    demand: "a database that is away is database_unavailable and says when to come back",
    ...away("database_unavailable"),
    async ask() {
      const { databaseUrl, db } = await createTestDatabase();
      const key = await aKey(db);
      // The credential is known from then on.
      await openKernel(openTestRuntime(databaseUrl), OPERATIONS, key).send("/api/v1/me");
      vi.spyOn(console, "error").mockImplementationOnce(() => undefined);
      const closed = openTestRuntime(databaseUrl, { NEON_HTTP_ENDPOINT: "http://127.0.0.1:9/sql" });
      return openKernel(closed, OPERATIONS, key).send("/api/v1/leaderboard");
    },
    also: comesBack,
  },
  {
    demand: "a request that cannot be counted is request_accounting_unavailable and says when to come back",
    ...away("request_accounting_unavailable"),
    async ask() {
      const { databaseUrl, db } = await createTestDatabase();
      const meter = { admit: () => Promise.reject(new MeterUnavailable("away")) };
      return openKernel({ ...openTestRuntime(databaseUrl), meter }, OPERATIONS, await aKey(db)).send("/api/v1/leaderboard");
    },
    also: comesBack,
  },
  { demand: "a wallet nobody is, is not_found by its param", ...gone("address"), ask: ({ api }) => api.send("/api/v1/trader/nobody") },
  {
    demand: "and in Markdown it is the JSON error",
    ...gone("address"),
    ask: ({ api }) => api.send("/api/v1/trader/nobody/context.md", { headers: { accept: "text/markdown" } }),
    also: ({ headers }) => expect(headers.get("content-type")).toContain("application/json"),
  },
  {
    demand: "another thing's id is no wallet",
    ...bad("address"),
    ask: ({ api }) => api.send("/api/v1/trader/mkt_1"),
  },
  {
    demand: "an answer older than the ceiling is 409 with its freshness",
    ...{ ...bad("max_age_s", "freshness_ceiling_unsatisfied"), status: 409 },
    async ask({ api, db }) {
      const { address } = await aWallet(db, { completeAt: new Date(Date.now() - 60_000), totals: {} });
      return api.send(`/api/v1/trader/${address}?max_age_s=5`);
    },
    also: ({ body }) => {
      const { max_age_s, actual_age_s, as_of, data_quality_status } = body.error.freshness;
      expect({ max_age_s, data_quality_status }).toEqual({ max_age_s: 5, data_quality_status: "fresh" });
      expect(actual_age_s).toBeGreaterThanOrEqual(60);
      expect(Date.parse(as_of)).toBeLessThan(Date.now());
    },
  },
  {
    demand: "a batch's bad item is named by its place",
    ...bad("traders[1]", "invalid_body"),
    ask: ({ post }) => post("/api/v1/traders/batch", { traders: ["a", 1] }),
  },
  {
    demand: "a body that is no JSON is the body",
    ...bad("body", "invalid_body"),
    ask: ({ api }) => api.send("/api/v1/traders/batch", { method: "POST", headers: { "content-type": "application/json" }, body: "{" }),
  },
  {
    demand: "a body of another type is 415 by its header",
    ...{ ...bad("content-type", "unsupported_media_type"), status: 415 },
    ask: ({ api }) => api.send("/api/v1/traders/batch", { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" }),
  },
  {
    demand: "a body over 1,048,576 bytes is 413",
    ...{ ...bad("body", "payload_too_large"), status: 413 },
    ask: ({ post }) => post("/api/v1/traders/batch", { traders: ["x".repeat(1_048_576)] }),
  },
  {
    demand: "an id polled for that nobody has is refused by since",
    ...query("since"),
    ask: ({ api }) => api.send("/api/v1/large-trades?since=wt_999999"),
  },
  ...[
    { of: "getTraderPnl", demand: "an unknown section is refused", param: "sections", query: "sections=everything" },
    {
      of: "getTraderGradeAt",
      demand: "a grade of the future is refused",
      param: "as_of",
      query: "as_of=2999-01-01T00:00:00Z",
      replaces: true,
    },
    { of: "getMarketHolders", demand: "holders below B are refused", param: "min_grade", query: "min_grade=C" },
    { of: "listSuspiciousTrades", demand: "an unknown severity is refused", param: "severity", query: "severity=loud" },
    { of: "listTrendingWallets", demand: "an unknown window is refused", param: "window", query: "window=9d" },
    { of: "getMarketCandles", demand: "an unknown resolution is refused", param: "resolution", query: "resolution=1h" },
    {
      of: "searchMarkets",
      demand: "a search of more than 512 characters is refused",
      param: "q",
      query: `q=${"x".repeat(513)}`,
      replaces: true,
    },
    { of: "exploreMarkets", demand: "a search of more than 64 characters is refused", param: "q", query: `q=${"x".repeat(65)}` },
  ].map(({ of, demand, param, query: asked, replaces = false }) => ({
    ...query(param),
    demand,
    // What the operation requires is given once: here instead of the usual.
    ask: ({ api, world, askFor }: DemandedApi) =>
      replaces
        ? api.send(
            `${of === "searchMarkets" ? "/api/v1/markets/search" : `/api/v1/trader/${world.wallets.known.address}/grade-at`}?${asked}`,
          )
        : askFor(of, asked),
  })),
];

let demanded: DemandedApi;

beforeAll(async () => {
  demanded = await openDemandedApi();
});

describe("section 4 of the demands", () => {
  test.each(REFUSALS)("$demand", async ({ demand, ask, also, ...expected }) => {
    const answer = await ask(demanded);
    const { object, error, meta } = answer.body ?? {};
    const { code, reason, param } = error;
    expect({ demand, status: answer.status, code, reason, param }).toEqual({ reason: undefined, ...expected, demand });
    // The envelope that every refusal has.
    expect(object).toBe("error");
    expect(error.message).toMatch(/\w/);
    expect(meta).toMatchObject({ request_id: answer.headers.get("x-request-id"), cached: false, cost: expect.any(Number) });
    also?.(answer);
  });

  test("every code and reason of ours is one that libraries know", () => {
    const rows = Object.entries(ERRORS);
    expect(rows.filter(([, { code }]) => !CODES.includes(code))).toEqual([]);
    expect(rows.filter(([reason, { published }]) => published && !REASONS.includes(reason)).map(([reason]) => reason)).toEqual([]);
  });

  test("whatever can be repeated is of a status that libraries repeat, and nothing else says when to come back", () => {
    const repeated = [408, 429, 502, 503, 504];
    for (const [reason, { status, retry }] of Object.entries(ERRORS) as [Reason, (typeof ERRORS)[Reason]][]) {
      expect({ reason, comesBack: retry !== "never" }).toEqual({ reason, comesBack: repeated.includes(status) });
      // Longer than a minute is thrown at once: only what needs it says so.
      const seconds = retry === "never" || status === 429 ? 0 : retry.afterSeconds;
      expect({ reason, seconds: seconds <= 60 }).toEqual({ reason, seconds: true });
    }
  });

  test("402 still lets identity and usage answer", async () => {
    const key = await aKey(demanded.db, { state: "lapsed" });
    for (const path of ["/api/v1/me", "/api/v1/usage"]) expect((await demanded.api.send(path, { key })).status).toBe(200);
  });

  test("a wallet that nobody tracks is 200 with sync_status unknown", async () => {
    const { status, body } = await demanded.api.send(`/api/v1/trader/0x${"e".repeat(40)}`);
    expect({ status, sync: body.data.sync_status }).toEqual({ status: 200, sync: "unknown" });
  });

  test("fills that are not captured are 404 trader_not_tracked", async () => {
    const { address } = await aWallet(demanded.db);
    const { conditionId } = demanded.world.markets.full;
    const answer = await demanded.api.send(`/api/v1/trader/${address}/position-timeline?condition_id=${conditionId}`);
    expect({ status: answer.status, reason: answer.body.error?.reason }).toEqual({ status: 404, reason: "trader_not_tracked" });
  });
});
