import { beforeAll, describe, expect, test } from "vitest";
import { docOf } from "../../../../src/api/params.ts";
import { LISTS, openDemandedApi, operationOf, type DemandedApi } from "../../../support/registry/open-demanded-api.ts";

/*
 * Query names, page sizes and old spellings that client libraries know (section 8), of the reads of this API. Those of games, picks, combos,
 * streams, webhooks and exports are theirs.
 */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  listLeaderboard: ["category", "strategy"],
  listTrendingWallets: ["window"],
  exploreMarkets: ["category", "status", "platform", "sort", "q"],
  searchMarkets: ["q", "status", "category"],
  searchContent: ["q"],
  listLargeTrades: ["min_size", "category", "min_grade", "suspicious_only", "min_market_volume_share", "sort", "since"],
  listLargeTradeHistory: [
    "condition_id",
    "trader",
    "platform",
    "from",
    "to",
    "min_size",
    "category",
    "min_grade",
    "suspicious_only",
    "min_market_volume_share",
    "sort",
  ],
  listLargeTradeCounterpartyExecutions: ["snapshot_id"],
  listPositions: ["consistency", "min_size", "category", "condition_id", "wallet", "wallet[]", "min_grade", "side"],
  listLargePositions: ["min_size", "category", "min_grade", "condition_id"],
  listSharpMoneyFlows: ["timeframe", "category", "platform", "min_grade", "direction"],
  listSmartMoneyFlows: ["timeframe", "window", "category", "platform", "min_grade", "direction"],
  getMarketFlow: ["timeframe"],
  getMarketIntel: ["timeframe"],
  getMarketHolders: ["outcome", "min_grade"],
  getMarketSnapshot: ["expand", "expand[]"],
  getMarketCandles: ["resolution", "from", "to"],
  listSuspiciousTrades: ["min_suspicion", "severity", "mode"],
  getTrader: ["expand", "expand[]", "max_age_s"],
  getTraderPnl: ["from", "to", "sections", "sections[]"],
  getTraderCategoryRecords: ["category"],
  getTraderGradeAt: ["as_of"],
  getPositionTimeline: ["condition_id"],
  getPositionTimelineById: ["condition_id"],
  getDailyReportSnapshot: ["date"],
  getWeeklyReportSnapshot: ["week", "from", "to"],
  getMonthlyReportSnapshot: ["month"],
  getReports: ["granularity", "period"],
};

/** Out of range is brought in, never refused. */
const MOST: Readonly<Record<string, number>> = { exploreMarkets: 48, listTrendingWallets: 50, searchContent: 50 };

/** The old spelling, the new one, and the object that the old one has of its own. */
const ALIASES: readonly { old: string; is: string; object?: string }[] = [
  { old: "listWhaleTrades", is: "listLargeTrades" },
  { old: "listWhaleTradeHistory", is: "listLargeTradeHistory" },
  { old: "getWhaleTrade", is: "getLargeTrade", object: "whale_trade" },
  { old: "listWhaleTradeCounterpartyExecutions", is: "listLargeTradeCounterpartyExecutions" },
  { old: "listWhaleTradeCounterpartyMakers", is: "listLargeTradeCounterpartyMakers" },
  { old: "listInsiderRadar", is: "listSuspiciousTrades" },
  { old: "getInsiderRadarFlag", is: "getSuspiciousTrade", object: "radar_flag" },
  { old: "listSmartMoneyFlows", is: "listSharpMoneyFlows" },
  { old: "getMarketIntel", is: "getMarketFlow", object: "market_intel" },
  { old: "batchGetMarketIntel", is: "batchGetMarketFlow", object: "market_intel_batch" },
  { old: "getPlatforms", is: "getCoverage", object: "platforms" },
];

let demanded: DemandedApi;

beforeAll(async () => {
  demanded = await openDemandedApi();
});

describe("section 8 of the demands", () => {
  test.each(Object.entries(NAMES))("%s takes the names that libraries send", (id, names) => {
    const operation = operationOf(id);
    const taken = Object.entries(operation.query).flatMap(([name, param]) => (docOf(param).list ? [name, `${name}[]`] : [name]));
    expect({ id, missing: names.filter((name) => !taken.includes(name)) }).toEqual({ id, missing: [] });
  });

  test.each(LISTS.map(({ id, query }) => [id, "limit" in query ? (MOST[id] ?? 100) : null] as const))(
    "%s brings a limit into 1 to %s",
    async (id, most) => {
      if (most === null) return;
      for (const [sent, effective] of [
        ["0", "1"],
        ["-5", "1"],
        ["1000000", String(most)],
      ]) {
        const { status, headers } = await demanded.askFor(id, `limit=${sent}`);
        const limit = new URLSearchParams(headers.get("x-effective-query") ?? "").get("limit");
        expect({ id, sent, status, limit }).toEqual({ id, sent, status: 200, limit: effective });
      }
    },
  );

  test.each(ALIASES)("$old answers what $is does, and says that it is old", async ({ old, is, object }) => {
    const answer = await demanded.askFor(old);
    const { headers, body } = answer;
    expect(headers.get("deprecation")).toMatch(/^@\d+$/);
    expect(headers.get("link")).toMatch(/^<\/api\/v1\/.+>; rel="successor-version"/);
    const current = await demanded.askFor(is);
    expect({ status: answer.status, data: body.data }).toEqual({ status: 200, data: current.body.data });
    expect(body.object).toBe(object ?? current.body.object);
    expect(current.headers.has("deprecation")).toBe(false);
  });
});
