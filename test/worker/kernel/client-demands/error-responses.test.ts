import { beforeAll, describe, expect, test, vi } from "vitest";
import { ERRORS, type Reason, type Retry } from "../../../../src/api/errors.ts";
import { listGenerations } from "../../../../src/db/schema.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { MeterUnavailable } from "../../../../src/platform/objects/meter.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type KernelResponse } from "../../../support/kernel/open-kernel.ts";
import { meterWith } from "../../../support/api/unlimited.ts";
import { openRegistryApi, type RegistryApi } from "../../../support/registry/open-registry-api.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

/**
 * Codes and reasons that client libraries have classes or names for (section 4). They ignore any other
 * reason.
 */
const CODES = [
  ...[
    "bad_request",
    "invalid_api_key",
    "subscription_required",
    "forbidden",
    "not_found",
    "account_locked",
    "rate_limited",
  ],
  ...["rate_limit_unavailable", "request_timeout", "internal_error", "insufficient_scope"],
];
const REASONS = [
  ...[
    "freshness_ceiling_unsatisfied",
    "pick_not_released",
    "read_model_warming",
    "database_unavailable",
    "request_accounting_unavailable",
  ],
  ...[
    "cursor_expired",
    "unknown_endpoint",
    "trader_not_tracked",
    "idempotency_in_progress",
    "webhook_delivery_in_progress",
  ],
  ...["sandbox_api_key", "api_key_in_query", "unknown_query_parameter", "webhook_secret_rotation_not_prepared"],
  ...[
    "webhook_secret_rotation_overlap_active",
    "subscription_inactive",
    "monthly_quota_exceeded",
    "invalid_query",
    "invalid_path",
  ],
  ...[
    "invalid_body",
    "unsupported_media_type",
    "payload_too_large",
    "method_not_allowed",
    "ip_rate_limited",
    "ip_throttled",
    "export_expired",
  ],
  // Defined by the specification only.
  "max_plan_required",
];

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly reason?: string;
  readonly param: string | null;
}

interface Row extends Refusal {
  readonly demand: string;
  send(demanded: RegistryApi): Promise<KernelResponse>;
  /** Further requirements on the response. */
  andExpect?(response: KernelResponse): void;
}

const bad = (param: string | null, reason?: string): Refusal => ({
  status: 400,
  code: "bad_request",
  param,
  ...(reason === undefined ? {} : { reason }),
});
const query = (param: string) => bad(param, "invalid_query");
const notFound = (param: string | null, reason?: string): Refusal => ({
  ...bad(param, reason),
  status: 404,
  code: "not_found",
});
const unavailable = (reason: string): Refusal => ({ status: 503, code: "rate_limit_unavailable", reason, param: null });

/** The response has Retry-After and retry_at, and both are in the future. */
const expectRetryTime = ({ headers, body }: KernelResponse) => {
  expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(Date.parse(body.error.retry_at)).toBeGreaterThan(Date.now() - 1_000);
};
const expectNoRetryTime = ({ headers, body }: KernelResponse) =>
  expect({ header: headers.get("retry-after"), body: body.error.retry_at }).toEqual({ header: null, body: undefined });

const REFUSALS: readonly Row[] = [
  {
    demand: "an unknown path returns unknown_endpoint",
    ...notFound(null, "unknown_endpoint"),
    send: ({ api }) => api.send("/api/v1/nothing"),
  },
  {
    demand: "another method returns method_not_allowed with Allow",
    ...{ ...bad(null, "method_not_allowed"), status: 405 },
    send: ({ api }) => api.send("/api/v1/leaderboard", { method: "DELETE" }),
    andExpect: ({ headers }) => expect(headers.get("allow")).toContain("GET"),
  },
  {
    demand: "a request without a key returns invalid_api_key with a challenge that names the resource metadata",
    ...{ status: 401, code: "invalid_api_key", param: null },
    send: ({ api }) => api.send("/api/v1/leaderboard", { key: null }),
    andExpect: ({ headers }) => expect(headers.get("www-authenticate")).toMatch(/^Bearer .*resource_metadata="http/),
  },
  {
    demand: "a sandbox key returns sandbox_api_key",
    ...{ status: 401, code: "invalid_api_key", reason: "sandbox_api_key", param: null },
    send: ({ api }) => api.send("/api/v1/leaderboard", { key: `svc_sk_test_${"0".repeat(64)}` }),
  },
  {
    demand: "a key in the URL returns api_key_in_query",
    ...{ status: 401, code: "invalid_api_key", reason: "api_key_in_query", param: null },
    send: ({ api }) => api.send("/api/v1/leaderboard?token=x"),
  },
  {
    demand: "a lapsed subscription returns 402 subscription_inactive without a retry time",
    ...{ status: 402, code: "subscription_required", reason: "subscription_inactive", param: null },
    send: async ({ api, db }) => api.send("/api/v1/leaderboard", { key: await aKey(db, { state: "lapsed" }) }),
    andExpect: expectNoRetryTime,
  },
  {
    demand: "a locked account returns 423 account_locked",
    ...{ status: 423, code: "account_locked", param: null },
    send: async ({ api, db }) => api.send("/api/v1/leaderboard", { key: await aKey(db, { state: "locked" }) }),
  },
  {
    demand: "a key without the scope returns insufficient_scope",
    ...{ status: 403, code: "insufficient_scope", param: null },
    send: async ({ api, db }) => api.send("/api/v1/leaderboard", { key: await aKey(db, { scopes: ["usage"] }) }),
  },
  {
    demand: "an unknown query name in strict mode is refused before the handler, even with an incomplete escape",
    ...bad("colour", "unknown_query_parameter"),
    send: ({ api }) => api.send("/api/v1/trader/nobody?colour=%z", { headers: { "x-query-validation": "strict" } }),
    andExpect: ({ body }) => expect(body.error.message).toContain("expand"),
  },
  {
    demand: "a limit that is not an integer returns invalid_query",
    ...query("limit"),
    send: ({ api }) => api.send("/api/v1/leaderboard?limit=ten"),
  },
  {
    demand: "a mangled cursor returns invalid_query with param cursor",
    ...query("cursor"),
    send: ({ api }) => api.send("/api/v1/leaderboard?cursor=lbv1_x"),
  },
  {
    demand: "a cursor of an earlier generation returns cursor_expired without a retry time",
    ...bad("cursor", "cursor_expired"),
    async send({ api, db }) {
      const { body } = await api.send("/api/v1/leaderboard/trending?window=30d&limit=1");
      await db.delete(listGenerations);
      return api.send(`/api/v1/leaderboard/trending?window=30d&limit=1&cursor=${encodeURIComponent(body.next_cursor)}`);
    },
    andExpect: expectNoRetryTime,
  },
  {
    demand: "a list without a generation returns read_model_warming with a retry time",
    ...unavailable("read_model_warming"),
    async send() {
      const { databaseUrl, db } = await createTestDatabase();
      return openKernel(openTestRuntime(databaseUrl), OPERATIONS, await aKey(db)).send("/api/v1/leaderboard");
    },
    andExpect: expectRetryTime,
  },
  {
    demand: "a database outage returns database_unavailable with a retry time",
    ...unavailable("database_unavailable"),
    async send() {
      const { databaseUrl, db } = await createTestDatabase();
      const key = await aKey(db);
      // Caches the credential, so that the next request can authenticate without Postgres.
      await openKernel(openTestRuntime(databaseUrl), OPERATIONS, key).send("/api/v1/me");
      vi.spyOn(console, "error").mockImplementationOnce(() => undefined);
      const closed = openTestRuntime(databaseUrl, { NEON_HTTP_ENDPOINT: "http://127.0.0.1:9/sql" });
      return openKernel(closed, OPERATIONS, key).send("/api/v1/leaderboard");
    },
    andExpect: expectRetryTime,
  },
  {
    demand: "a request that cannot be counted returns request_accounting_unavailable with a retry time",
    ...unavailable("request_accounting_unavailable"),
    async send() {
      const { databaseUrl, db } = await createTestDatabase();
      const runtime = openTestRuntime(databaseUrl);
      const meter = meterWith(runtime.meter, () => Promise.reject(new MeterUnavailable("away")));
      return openKernel({ ...runtime, meter }, OPERATIONS, await aKey(db)).send("/api/v1/leaderboard");
    },
    andExpect: expectRetryTime,
  },
  {
    demand: "an unknown trader returns not_found with param address",
    ...notFound("address"),
    send: ({ api }) => api.send("/api/v1/trader/nobody"),
  },
  {
    demand: "an unknown trader returns a JSON error on a Markdown route too",
    ...notFound("address"),
    send: ({ api }) => api.send("/api/v1/trader/nobody/context.md", { headers: { accept: "text/markdown" } }),
    andExpect: ({ headers }) => expect(headers.get("content-type")).toContain("application/json"),
  },
  {
    demand: "the id of another kind of object is refused as a trader",
    ...bad("address"),
    send: ({ api }) => api.send("/api/v1/trader/mkt_1"),
  },
  {
    demand: "data older than max_age_s returns 409 with its freshness",
    ...{ ...bad("max_age_s", "freshness_ceiling_unsatisfied"), status: 409 },
    async send({ api, db }) {
      const { address } = await aSeededTrader(db, { completeAt: new Date(Date.now() - 60_000), totals: {} });
      return api.send(`/api/v1/trader/${address}?max_age_s=5`);
    },
    andExpect: ({ body }) => {
      const { max_age_s, actual_age_s, as_of, data_quality_status } = body.error.freshness;
      expect({ max_age_s, data_quality_status }).toEqual({ max_age_s: 5, data_quality_status: "fresh" });
      expect(actual_age_s).toBeGreaterThanOrEqual(60);
      expect(Date.parse(as_of)).toBeLessThan(Date.now());
    },
  },
  {
    demand: "an invalid batch item is named by its index",
    ...bad("traders[1]", "invalid_body"),
    send: ({ post }) => post("/api/v1/traders/batch", { traders: ["a", 1] }),
  },
  {
    demand: "a body that is not JSON returns invalid_body with param body",
    ...bad("body", "invalid_body"),
    send: ({ api }) =>
      api.send("/api/v1/traders/batch", { method: "POST", headers: { "content-type": "application/json" }, body: "{" }),
  },
  {
    demand: "a body of another type returns 415 with param content-type",
    ...{ ...bad("content-type", "unsupported_media_type"), status: 415 },
    send: ({ api }) =>
      api.send("/api/v1/traders/batch", { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" }),
  },
  {
    demand: "a body over 1,048,576 bytes returns 413",
    ...{ ...bad("body", "payload_too_large"), status: 413 },
    send: ({ post }) => post("/api/v1/traders/batch", { traders: ["x".repeat(1_048_576)] }),
  },
  {
    demand: "an unknown id in since returns invalid_query",
    ...query("since"),
    send: ({ api }) => api.send("/api/v1/large-trades?since=wt_999999"),
  },
  ...[
    {
      of: "getTraderPnl",
      demand: "an unknown section of a trader's PnL is refused",
      param: "sections",
      query: "sections=everything",
    },
    {
      of: "getTraderGradeAt",
      demand: "an as_of in the future is refused for a grade",
      param: "as_of",
      query: "as_of=2999-01-01T00:00:00Z",
      replaces: true,
    },
    {
      of: "getMarketHolders",
      demand: "a min_grade below B is refused for holders",
      param: "min_grade",
      query: "min_grade=C",
    },
    {
      of: "listSuspiciousTrades",
      demand: "an unknown severity is refused for suspicious trades",
      param: "severity",
      query: "severity=loud",
    },
    {
      of: "listTrendingWallets",
      demand: "an unknown window is refused for trending traders",
      param: "window",
      query: "window=9d",
    },
    {
      of: "getMarketCandles",
      demand: "an unknown resolution is refused for candles",
      param: "resolution",
      query: "resolution=1h",
    },
    {
      of: "searchMarkets",
      demand: "a market search of more than 512 characters is refused",
      param: "q",
      query: `q=${"x".repeat(513)}`,
      replaces: true,
    },
    {
      of: "exploreMarkets",
      demand: "an explore search of more than 64 characters is refused",
      param: "q",
      query: `q=${"x".repeat(65)}`,
    },
  ].map(({ of, demand, param, query: sentQuery, replaces = false }) => ({
    ...query(param),
    demand,
    // A parameter that the operation requires must appear once: replaced here, not added.
    send: ({ api, world, requestById }: RegistryApi) =>
      replaces
        ? api.send(
            `${of === "searchMarkets" ? "/api/v1/markets/search" : `/api/v1/trader/${world.traders.known.address}/grade-at`}?${sentQuery}`,
          )
        : requestById(of, sentQuery),
  })),
];

let demanded: RegistryApi;

beforeAll(async () => {
  demanded = await openRegistryApi();
});

describe("client demands on refusals", () => {
  test.each(REFUSALS)("$demand", async ({ demand, send, andExpect, ...expected }) => {
    const response = await send(demanded);
    const { object, error, meta } = response.body ?? {};
    const { code, reason, param } = error;
    expect({ demand, status: response.status, code, reason, param }).toEqual({
      reason: undefined,
      ...expected,
      demand,
    });
    // The envelope of every refusal.
    expect(object).toBe("error");
    expect(error.message).toMatch(/\w/);
    expect(meta).toMatchObject({
      request_id: response.headers.get("x-request-id"),
      cached: false,
      cost: expect.any(Number),
    });
    andExpect?.(response);
  });

  test("every code and every published reason is one that client libraries know", () => {
    const rows = Object.entries(ERRORS);
    expect(rows.filter(([, { code }]) => !CODES.includes(code))).toEqual([]);
    expect(
      rows.filter(([reason, { published }]) => published && !REASONS.includes(reason)).map(([reason]) => reason),
    ).toEqual([]);
  });

  test("a failure has a retry time exactly when its status is one that client libraries repeat", () => {
    const repeated = [408, 429, 502, 503, 504];
    // Specified with a time although libraries do not repeat a 404: the pick is there later.
    const announced: readonly Reason[] = ["pick_not_released"];
    for (const [reason, { status, retry }] of Object.entries(ERRORS) as [Reason, (typeof ERRORS)[Reason]][]) {
      expect({ reason, expectRetryTime: retry !== "never" }).toEqual({
        reason,
        expectRetryTime: repeated.includes(status) || announced.includes(reason),
      });
      // Libraries throw at once on more than a minute; only a rate limit and an announced time may be that long.
      const mayBeLong = status === 429 || announced.includes(reason);
      const seconds = retry === "never" || mayBeLong ? 0 : longestWaitOf(retry);
      expect({ reason, seconds: seconds <= 60 }).toEqual({ reason, seconds: true });
    }
  });

  test("an inactive subscription can still read identity and usage", async () => {
    const key = await aKey(demanded.db, { state: "lapsed" });
    for (const path of ["/api/v1/me", "/api/v1/usage"])
      expect((await demanded.api.send(path, { key })).status).toBe(200);
  });

  test("a trader that is not tracked returns 200 with sync_status unknown", async () => {
    const { status, body } = await demanded.api.send(`/api/v1/trader/0x${"e".repeat(40)}`);
    expect({ status, sync: body.data.sync_status }).toEqual({ status: 200, sync: "unknown" });
  });

  test("a position timeline of an untracked trader returns 404 trader_not_tracked", async () => {
    const { address } = await aSeededTrader(demanded.db);
    const { conditionId } = demanded.world.markets.full;
    const response = await demanded.api.send(`/api/v1/trader/${address}/position-timeline?condition_id=${conditionId}`);
    expect({ status: response.status, reason: response.body.error?.reason }).toEqual({
      status: 404,
      reason: "trader_not_tracked",
    });
  });
});

const longestWaitOf = ({ afterSeconds, spreadSeconds = 0 }: Exclude<Retry, "never">): number =>
  afterSeconds + spreadSeconds;
