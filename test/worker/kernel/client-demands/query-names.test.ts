import { beforeAll, describe, expect, test } from "vitest";
import { docOf } from "../../../../src/api/request/query-params.ts";
import { LISTS, openRegistryApi, operationOf, type RegistryApi } from "../../../support/registry/open-registry-api.ts";

/*
 * Query names, page sizes and deprecated spellings that client libraries know (section 8), for the reads of
 * this API. Games, picks, combos, streams, webhooks and exports are not covered here.
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

/** Largest page where it is not 100. A limit out of range is clamped, never refused. */
const MAX_LIMIT: Readonly<Record<string, number>> = {
  exploreMarkets: 48,
  listComboFills: 200,
  listTrendingWallets: 50,
  searchContent: 50,
};

/** The deprecated operation, its successor, and the object name of the deprecated one where it differs. */
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

let demanded: RegistryApi;

beforeAll(async () => {
  demanded = await openRegistryApi();
});

describe("client demands on query names and aliases", () => {
  test.each(Object.entries(NAMES))("%s accepts the query names that client libraries send", (id, names) => {
    const operation = operationOf(id);
    const accepted = Object.entries(operation.query).flatMap(([name, param]) =>
      docOf(param).list ? [name, `${name}[]`] : [name],
    );
    expect({ id, missing: names.filter((name) => !accepted.includes(name)) }).toEqual({ id, missing: [] });
  });

  test.each(LISTS.map(({ id, query }) => [id, "limit" in query ? (MAX_LIMIT[id] ?? 100) : null] as const))(
    "%s clamps a limit to the range from 1 to %s",
    async (id, max) => {
      if (max === null) return;
      for (const [sent, effective] of [
        ["0", "1"],
        ["-5", "1"],
        ["1000000", String(max)],
      ]) {
        const { status, headers } = await demanded.requestById(id, `limit=${sent}`);
        const limit = new URLSearchParams(headers.get("x-effective-query") ?? "").get("limit");
        expect({ id, sent, status, limit }).toEqual({ id, sent, status: 200, limit: effective });
      }
    },
  );

  test.each(ALIASES)("$old returns the data of $is with deprecation headers", async ({ old, is, object }) => {
    const response = await demanded.requestById(old);
    const { headers, body } = response;
    expect(headers.get("deprecation")).toMatch(/^@\d+$/);
    expect(headers.get("link")).toMatch(/^<\/api\/v1\/.+>; rel="successor-version"/);
    const current = await demanded.requestById(is);
    expect({ status: response.status, data: body.data }).toEqual({ status: 200, data: current.body.data });
    expect(body.object).toBe(object ?? current.body.object);
    expect(current.headers.has("deprecation")).toBe(false);
  });
});
