import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { expectApiError } from "../../../support/kernel/api-error.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type KernelResponse, type Kernel } from "../../../support/kernel/open-kernel.ts";
import { pathOf } from "../../../support/kernel/registry-paths.ts";
import { aHolderScan } from "../../../support/seed/traders/holders.ts";
import { theTradeFeedWasRead } from "../../../support/seed/large-trades.ts";
import { aBoard, aGeneration } from "../../../support/seed/lists.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";
import { anEndpoint } from "../../../support/seed/webhooks.ts";
import { meterWith, NO_REQUEST_LIMITS, unlimitedVerdict } from "../../../support/api/unlimited.ts";
import { aSession } from "../../../support/web/members.ts";
import { anEdgeSnapshot } from "../../../support/seed/picks/edge.ts";
import { theBoardWasRead } from "../../../support/seed/picks/a-game.ts";

const BUILT_AT = new Date("2026-11-20T12:00:00Z");

let api: Kernel;

beforeAll(async () => {
  const { db, databaseUrl } = await createTestDatabase();
  const wallets = [await aSeededTrader(db), await aSeededTrader(db), await aSeededTrader(db)];
  await aBoard(db, wallets, { generation: await aGeneration(db, "leaderboard", BUILT_AT, wallets.length) });
  await aGeneration(db, "trending:7d", BUILT_AT, 0);
  await aGeneration(db, "flows:24h", BUILT_AT, 0);
  await theTradeFeedWasRead(db, new Date());
  await aGeneration(db, "large_positions", BUILT_AT, 0);
  await theBoardWasRead(db, { live: BUILT_AT, upcoming: BUILT_AT });
  // The trader that pathOf names. Only a followed trader has a timeline.
  await db.execute(sql`update traders set address = ${`0x${"a".repeat(40)}`}, tier = 'hot' where id = 1`);
  // The market that pathOf names, with a fresh holder scan.
  const market = await aMarket(db, { conditionId: `0x${"b".repeat(64)}` });
  await aHolderScan(db, market, []);
  await aGeneration(db, "explore", BUILT_AT, 0, { categories: [], platforms: [] });
  for (const kind of ["pre_game", "in_play"] as const) await anEdgeSnapshot(db, kind, new Date());
  const opened = openTestRuntime(databaseUrl);
  // Budgets report the same reset times in two responses that are compared.
  const startedMs = Date.now();
  const meter = meterWith(opened.meter, (request) => unlimitedVerdict(request, startedMs));
  const runtime = { ...opened, meter, requestLimiter: NO_REQUEST_LIMITS };
  api = openKernel(runtime, OPERATIONS, await aKey(db, { plan: "max" }), await aSession(runtime));
  // The endpoint that pathOf names, in the account of the key above, which is the first account.
  await anEndpoint(db, { accountId: 1 });
});

/** The part of a response that is the same for equal requests; a document is compared whole. */
/** Without the time of the response itself. */
const dataOf = ({ body, text }: KernelResponse): unknown =>
  body === null ? text : body.object === "trader_export_snapshot" ? { ...body.data, generated_at: null } : body.data;

/** The largest page of each list; 100 where the contract sets no other. */
const LARGEST: Record<string, number> = {
  exploreMarkets: 48,
  listComboFills: 200,
  listTrendingWallets: 50,
  searchContent: 50,
};

describe.for(OPERATIONS.filter(({ kind, query }) => kind === "list" && "limit" in query))("$id", (operation) => {
  test.for([
    ["0", 1],
    ["-7", 1],
    ["2", 2],
    ["1000000", LARGEST[operation.id] ?? 100],
    ["99999999999999999999999", LARGEST[operation.id] ?? 100],
  ])("the list clamps limit=%s to %s and reports it", async ([limit, applied]) => {
    const response = await api.send(pathOf(operation, `limit=${limit}`));
    expect(response.status).toBe(200);
    expect(new URLSearchParams(response.headers.get("x-effective-query") ?? "").get("limit")).toBe(String(applied));
  });

  test.for(["abc", "", "1.5", "1e2", "0x10", "NaN", "Infinity", "1 0"])(
    "the list refuses limit=%s, which is not an integer",
    async (limit) => {
      const response = await api.send(pathOf(operation, `limit=${encodeURIComponent(limit)}`));
      expectApiError(response, { status: 400, code: "bad_request", reason: "invalid_query", param: "limit" });
    },
  );
});

test("limit=0 is clamped to one row", async () => {
  const response = await api.send("/api/v1/leaderboard?limit=0");
  expect(response.body.data).toHaveLength(1);
  expect(response.body.has_more).toBe(true);
});

describe.for(OPERATIONS.filter((operation) => operation.kind !== "redirect"))("$id", (operation) => {
  test("an unknown query name is ignored and reported", async () => {
    // A request that changes nothing, so that it can be repeated.
    const plain = await api.sendTo(operation, { method: "GET" });
    const response = await api.sendTo(operation, { method: "GET", query: "nonsense=1&nonsense=2&other" });
    expect(response.status).toBe(plain.status);
    expect(dataOf(response)).toEqual(dataOf(plain));
    // Only a successful response reports ignored names.
    expect(response.headers.get("x-query-ignored")).toBe(response.status === 200 ? "nonsense,other" : null);
  });

  test("strict mode accepts the query names that the operation publishes", async () => {
    const response = await api.sendTo(operation, { method: "GET", headers: { "x-query-validation": "strict" } });
    expect(response.body?.error?.reason).not.toBe("unknown_query_parameter");
  });
});

describe("X-Effective-Query", () => {
  test.for<[string, [string, string][]]>([
    ["/api/v1/large-trades?min_size=1e4", [["min_size", "10000"]]],
    ["/api/v1/large-trades?suspicious_only=0", [["suspicious_only", "false"]]],
    ["/api/v1/large-trades/history?from=2026-11-20T12:00:00%2B02:00", [["from", "2026-11-20T10:00:00.000Z"]]],
    ["/api/v1/markets/search?q=heavy+rain%21", [["q", "heavy rain!"]]],
    ["/api/v1/markets/search?q=50%25+%26+more", [["q", "50% & more"]]],
    [
      "/api/v1/trader/0x0000000000000000000000000000000000000001?expand[]=trust&expand=categories,nothing&expand=trust",
      [
        ["expand", "categories"],
        ["expand", "trust"],
      ],
    ],
    ["/api/v1/leaderboard?nonsense=1", []],
  ])("the effective query of %s has its applied names and normalised values", async ([path, applied]) => {
    const response = await api.send(path);
    expect(response.status).toBe(200);
    expect([...new URLSearchParams(response.headers.get("x-effective-query") ?? "absent")]).toEqual(applied);
  });

  test("a request without a query has no X-Effective-Query", async () => {
    expect((await api.send("/api/v1/leaderboard")).headers.has("x-effective-query")).toBe(false);
  });
});

test("an ignored name that is not valid in a header is reported percent-encoded", async () => {
  const response = await api.send("/api/v1?%0D%0Aset-cookie:%20x=1&%E2%82%AC=2&a%2Cb=3");
  expect(response.status).toBe(200);
  expect(response.headers.has("set-cookie")).toBe(false);
  expect(response.headers.get("x-query-ignored")?.split(",").map(decodeURIComponent)).toEqual([
    "\r\nset-cookie: x",
    "€",
    "a,b",
  ]);
});

test("an ignored name with an incomplete escape is reported", async () => {
  const response = await api.send("/api/v1?broken%2=1");
  expect(response.status).toBe(200);
  expect(decodeURIComponent(response.headers.get("x-query-ignored") ?? "")).toBe("broken%2");
});
