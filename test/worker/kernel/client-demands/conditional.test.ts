import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { ingestCheckpoints } from "../../../../src/db/schema.ts";
import { openDemandedApi, READS, type DemandedApi } from "../../../support/registry/open-demanded-api.ts";

/*
 * What strict client libraries demand of conditional reads (section 3). Reads on which 304 is documented, and those on which it is not;
 * streams, exports, webhooks and the event replay are others' and not here.
 */
const CONDITIONAL = [
  ...["getTrader", "getTraderGradeAt", "getTraderContext", "getTraderPnl", "getPositionTimeline", "getPositionTimelineById"],
  ...["listPositions", "listLargePositions", "listLargeTrades", "listLargeTradeHistory", "getLargeTrade"],
  ...["listWhaleTrades", "listWhaleTradeHistory", "getWhaleTrade", "listLeaderboard", "listTrendingWallets", "exploreMarkets"],
  ...["listSmartMoneyFlows", "listSharpMoneyFlows", "getMarketFlow", "getMarketIntel", "getMarketSnapshot", "getMarketCandles"],
  ...["listSuspiciousTrades", "getSuspiciousTrade", "listInsiderRadar", "getInsiderRadarFlag", "getHealth"],
];
const NEVER = ["searchMarkets", "getReports", "getDailyReportSnapshot", "getWeeklyReportSnapshot", "getMonthlyReportSnapshot", "getUsage"];
/** The same of every other read that does not say it is conditional, documents among them. */
const PLAIN = READS.filter(({ id, conditional }) => !conditional && !NEVER.includes(id)).map(({ id }) => id);

let demanded: DemandedApi;

beforeAll(async () => {
  demanded = await openDemandedApi();
});

describe.each(CONDITIONAL)("%s", (id) => {
  test("has a weak validator, and 304 with no body for whoever has it, from headers alone", async () => {
    const first = await demanded.askFor(id, "surprise=1&limit=1");
    expect({ id, status: first.status }).toEqual({ id, status: 200 });
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"[^"]+"$/);
    const second = await demanded.askFor(id, "surprise=1&limit=1", { "if-none-match": etag });
    expect({ id, status: second.status, text: second.text }).toEqual({ id, status: 304, text: "" });
    expect(second.headers.get("etag")).toBe(etag);
    expect(second.headers.get("x-request-id")).toMatch(/^req_/);
    expect(second.headers.get("x-query-ignored")).toContain("surprise");
    expect(second.headers.get("x-effective-query")).toBe(first.headers.get("x-effective-query"));
  });

  test("has one that changes with what is shown and with nothing of the request", async () => {
    const tag = async (query: string) => (await demanded.askFor(id, query)).headers.get("etag");
    // Served from the cache or not, under another request id: the same.
    expect(await tag("")).toBe(await tag(""));
    expect(await tag("surprise=1")).toBe(await tag(""));
  });

  test("answers whole for another validator", async () => {
    const { status, body } = await demanded.askFor(id, "", { "if-none-match": 'W/"another"' });
    expect({ status, data: "data" in body }).toEqual({ status: 200, data: true });
  });
});

test.each([...NEVER, ...PLAIN])("%s has no validator and ignores one", async (id) => {
  const answer = await demanded.askFor(id, "", { "if-none-match": "*" });
  expect({ id, status: answer.status, etag: answer.headers.get("etag") }).toEqual({ id, status: 200, etag: null });
});

// The page sizes differ so that no cached answer stands in; the rows are the same.
const etagOf = async (id: string, limit: number) => (await demanded.askFor(id, `limit=${limit}`)).headers.get("etag");

test("explore's computed_at is outside the validator: the same rows built again are the same to a client", async () => {
  const before = await etagOf("exploreMarkets", 20);
  await demanded.db.execute(sql`with newest as (select * from list_generations where list = 'explore' order by id desc limit 1), built as (
      insert into list_generations (list, built_at, row_count, detail) select list, built_at + interval '1 hour', row_count, detail from newest returning id
    )
    update explore_entries e set removed_in = built.id + 1 from newest cross join built where e.removed_in > newest.id`);
  expect(await etagOf("exploreMarkets", 21)).toBe(before);
});

test("data_quality is inside it: the same trades read at another time are another answer", async () => {
  const before = await etagOf("listLargeTrades", 20);
  await demanded.db.update(ingestCheckpoints).set({ updatedAt: new Date("2026-11-20T13:00:00Z") });
  expect(await etagOf("listLargeTrades", 21)).not.toBe(before);
});
