import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { createTestDatabase } from "../../support/database.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { aKey } from "../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Answer, type Kernel } from "../../support/kernel/open-kernel.ts";
import { pathOf } from "../../support/kernel/registry-paths.ts";
import { aHolderScan } from "../../support/seed/holders.ts";
import { theTradeFeedWasRead } from "../../support/seed/large-trades.ts";
import { aBoard, aGeneration } from "../../support/seed/lists.ts";
import { aMarket } from "../../support/seed/markets.ts";
import { aWallet } from "../../support/seed/wallets.ts";
import { anEndpoint } from "../../support/seed/webhooks.ts";

const BUILT_AT = new Date("2026-11-20T12:00:00Z");

let api: Kernel;

beforeAll(async () => {
  const { db, databaseUrl } = await createTestDatabase();
  const wallets = [await aWallet(db), await aWallet(db), await aWallet(db)];
  await aBoard(db, wallets, { generation: await aGeneration(db, "leaderboard", BUILT_AT, wallets.length) });
  await aGeneration(db, "trending:7d", BUILT_AT, 0);
  await aGeneration(db, "flows:24h", BUILT_AT, 0);
  await theTradeFeedWasRead(db, new Date());
  await aGeneration(db, "large_positions", BUILT_AT, 0);
  // The wallet that pathOf names, followed: only then it has a timeline.
  await db.execute(sql`update traders set address = ${`0x${"a".repeat(40)}`}, tier = 'hot' where id = 1`);
  // The market that pathOf names, its holders just read.
  const market = await aMarket(db, { conditionId: `0x${"b".repeat(64)}` });
  await aHolderScan(db, market, []);
  await aGeneration(db, "explore", BUILT_AT, 0, { categories: [], platforms: [] });
  api = openKernel(openTestRuntime(databaseUrl), OPERATIONS, await aKey(db));
  // The endpoint that pathOf names, of the account of that key, which is the first.
  await anEndpoint(db, { accountId: 1 });
});

/** What an answer says, without what differs from request to request; a document is said whole. */
const dataOf = ({ body, text }: Answer): unknown => (body === null ? text : body.data);

/** The largest page of each list; 100 where the contract names no other. */
const LARGEST: Record<string, number> = { exploreMarkets: 48, listTrendingWallets: 50, searchContent: 50 };

describe.for(OPERATIONS.filter(({ kind, query }) => kind === "list" && "limit" in query))("$id", (operation) => {
  test.for([
    ["0", 1],
    ["-7", 1],
    ["2", 2],
    ["1000000", LARGEST[operation.id] ?? 100],
    ["99999999999999999999999", LARGEST[operation.id] ?? 100],
  ])("reads limit=%s as %s and says so", async ([limit, applied]) => {
    const answer = await api.send(pathOf(operation, `limit=${limit}`));
    expect(answer.status).toBe(200);
    expect(new URLSearchParams(answer.headers.get("x-effective-query") ?? "").get("limit")).toBe(String(applied));
  });

  test.for(["abc", "", "1.5", "1e2", "0x10", "NaN", "Infinity", "1 0"])("refuses limit=%s, which is no integer", async (limit) => {
    const answer = await api.send(pathOf(operation, `limit=${encodeURIComponent(limit)}`));
    expectApiError(answer, { status: 400, code: "bad_request", reason: "invalid_query", param: "limit" });
  });
});

test("limit=0 reads one row", async () => {
  const answer = await api.send("/api/v1/leaderboard?limit=0");
  expect(answer.body.data).toHaveLength(1);
  expect(answer.body.has_more).toBe(true);
});

describe.for(OPERATIONS.filter((operation) => operation.kind !== "redirect"))("$id", (operation) => {
  test("ignores a name it does not publish and reports it", async () => {
    const plain = await api.send(pathOf(operation));
    const answer = await api.send(pathOf(operation, "nonsense=1&nonsense=2&other"));
    expect(answer.status).toBe(plain.status);
    expect(dataOf(answer)).toEqual(dataOf(plain));
    // An answer reports what it ignored; an error does not.
    expect(answer.headers.get("x-query-ignored")).toBe(answer.status === 200 ? "nonsense,other" : null);
  });

  test("takes the names it publishes in strict mode", async () => {
    const answer = await api.send(pathOf(operation), { headers: { "x-query-validation": "strict" } });
    expect(answer.body?.error?.reason).not.toBe("unknown_query_parameter");
  });
});

describe("X-Effective-Query holds the applied names and values, normalized", () => {
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
  ])("%s", async ([path, applied]) => {
    const answer = await api.send(path);
    expect(answer.status).toBe(200);
    expect([...new URLSearchParams(answer.headers.get("x-effective-query") ?? "absent")]).toEqual(applied);
  });

  test("and is not sent when the query is empty", async () => {
    expect((await api.send("/api/v1/leaderboard")).headers.has("x-effective-query")).toBe(false);
  });
});

test("an ignored name that no header could carry is reported in its encoded form", async () => {
  const answer = await api.send("/api/v1?%0D%0Aset-cookie:%20x=1&%E2%82%AC=2&a%2Cb=3");
  expect(answer.status).toBe(200);
  expect(answer.headers.has("set-cookie")).toBe(false);
  expect(answer.headers.get("x-query-ignored")?.split(",").map(decodeURIComponent)).toEqual(["\r\nset-cookie: x", "€", "a,b"]);
});

test("an ignored name whose escapes are incomplete is reported too", async () => {
  const answer = await api.send("/api/v1?broken%2=1");
  expect(answer.status).toBe(200);
  expect(decodeURIComponent(answer.headers.get("x-query-ignored") ?? "")).toBe("broken%2");
});
