import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { ingestCheckpoints } from "../../../../src/db/schema.ts";
import { openRegistryApi, READS, type RegistryApi } from "../../../support/registry/open-registry-api.ts";

/*
 * What strict client libraries require of conditional reads (section 3): the reads with a documented 304 and
 * those without one. Streams, exports, webhooks and the event replay are not covered here.
 */
const CONDITIONAL = [
  ...[
    "getTrader",
    "getTraderGradeAt",
    "getTraderContext",
    "getTraderPnl",
    "getPositionTimeline",
    "getPositionTimelineById",
  ],
  ...["listPositions", "listLargePositions", "listLargeTrades", "listLargeTradeHistory", "getLargeTrade"],
  ...[
    "listWhaleTrades",
    "listWhaleTradeHistory",
    "getWhaleTrade",
    "listLeaderboard",
    "listTrendingWallets",
    "exploreMarkets",
  ],
  ...[
    "listSmartMoneyFlows",
    "listSharpMoneyFlows",
    "getMarketFlow",
    "getMarketIntel",
    "getMarketSnapshot",
    "getMarketCandles",
  ],
  ...["listSuspiciousTrades", "getSuspiciousTrade", "listInsiderRadar", "getInsiderRadarFlag", "getHealth"],
];
const NEVER = [
  "searchMarkets",
  "getReports",
  "getDailyReportSnapshot",
  "getWeeklyReportSnapshot",
  "getMonthlyReportSnapshot",
  "getUsage",
];
/** Every other read that is not declared as conditional, documents included. */
const PLAIN = READS.filter(({ id, conditional }) => !conditional && !NEVER.includes(id)).map(({ id }) => id);

let demanded: RegistryApi;

beforeAll(async () => {
  demanded = await openRegistryApi();
});

describe.each(CONDITIONAL)("%s", (id) => {
  test("a conditional read has a weak ETag and returns an empty 304 for it with the same headers", async () => {
    const first = await demanded.requestById(id, "surprise=1&limit=1");
    expect({ id, status: first.status }).toEqual({ id, status: 200 });
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"[^"]+"$/);
    const second = await demanded.requestById(id, "surprise=1&limit=1", { "if-none-match": etag });
    expect({ id, status: second.status, text: second.text }).toEqual({ id, status: 304, text: "" });
    expect(second.headers.get("etag")).toBe(etag);
    expect(second.headers.get("x-request-id")).toMatch(/^req_/);
    expect(second.headers.get("x-query-ignored")).toContain("surprise");
    expect(second.headers.get("x-effective-query")).toBe(first.headers.get("x-effective-query"));
  });

  test("the ETag of a conditional read changes only with the content of the response", async () => {
    const tag = async (query: string) => (await demanded.requestById(id, query)).headers.get("etag");
    // Holds for cached and computed responses, which have different request ids.
    expect(await tag("")).toBe(await tag(""));
    expect(await tag("surprise=1")).toBe(await tag(""));
  });

  test("a conditional read returns the whole body for another ETag", async () => {
    const { status, body } = await demanded.requestById(id, "", { "if-none-match": 'W/"another"' });
    expect({ status, data: "data" in body }).toEqual({ status: 200, data: true });
  });
});

test.each([...NEVER, ...PLAIN])("%s has no ETag and ignores If-None-Match", async (id) => {
  const response = await demanded.requestById(id, "", { "if-none-match": "*" });
  expect({ id, status: response.status, etag: response.headers.get("etag") }).toEqual({ id, status: 200, etag: null });
});

// Different page sizes bypass the response cache; the rows are the same.
const etagOf = async (id: string, limit: number) =>
  (await demanded.requestById(id, `limit=${limit}`)).headers.get("etag");

test("the ETag of explore ignores computed_at, so a rebuild with the same rows keeps it", async () => {
  const before = await etagOf("exploreMarkets", 20);
  await demanded.db
    .execute(sql`with newest as (select * from list_generations where list = 'explore' order by id desc limit 1), built as (
      insert into list_generations (list, built_at, row_count, detail) select list, built_at + interval '1 hour', row_count, detail from newest returning id
    )
    update explore_entries e set removed_in = built.id + 1 from newest cross join built where e.removed_in > newest.id`);
  expect(await etagOf("exploreMarkets", 21)).toBe(before);
});

test("the ETag of large trades covers data_quality, so a newer read time changes it", async () => {
  const before = await etagOf("listLargeTrades", 20);
  await demanded.db.update(ingestCheckpoints).set({ updatedAt: new Date("2026-11-20T13:00:00Z") });
  expect(await etagOf("listLargeTrades", 21)).not.toBe(before);
});
