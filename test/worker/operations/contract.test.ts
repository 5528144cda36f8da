import { beforeAll, expect, test } from "vitest";
import { takesCursor } from "../../../src/api/operation.ts";
import { API_OPERATIONS, OPERATIONS } from "../../../src/operations/index.ts";
import { ADDITIONS } from "../../contract/additions.ts";
import { contractOperation, departures } from "../../contract/contract.ts";
import type { ApiUnderTest } from "../../support/api/api-under-test.ts";
import { openFreshApi } from "../../support/api/fresh-api.ts";
import { aWorld, emptyLists, type World } from "../../support/seed/world.ts";

const UNSEEN_WALLET = `0x${"e".repeat(40)}`;
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

/** A POST request with a body. */
interface PostRequest {
  readonly path: string;
  readonly body: unknown;
}

/** The requests to each operation on the seeded database. Together they return every kind of row. */
const REQUESTS: Record<string, (world: World) => (string | PostRequest)[] | Promise<string[]>> = {
  getApiDiscovery: () => ["/api/v1"],
  getUsage: () => ["/api/v1/usage"],
  getAccountIdentity: () => ["/api/v1/me"],
  redirectApiOpenapiSpec: () => ["/api/v1/openapi.json"],
  getHealth: () => ["/api/v1/health"],
  getCoverage: () => ["/api/v1/coverage"],
  getPlatforms: () => ["/api/v1/platforms"],
  registerAgent: () => [{ path: "/api/v1/agents/register", body: {} }],
  getTrader: ({ traders }) =>
    [...Object.values(traders).map(({ address }) => address), UNSEEN_WALLET].map(
      (address) => `/api/v1/trader/${address}?expand=strategy,categories,quant_metrics,trust`,
    ),
  batchGetTraders: ({ traders }) => {
    const expand = ["strategy", "categories", "quant_metrics", "trust"];
    const references = [
      ...Object.values(traders).map(({ address }) => address),
      UNSEEN_WALLET,
      "nobody",
      "mkt_1",
      "known",
    ];
    return [{ path: "/api/v1/traders/batch", body: { traders: references, expand } }];
  },
  getTraderContext: ({ traders }) =>
    [...Object.values(traders).map(({ address }) => address), UNSEEN_WALLET].map(
      (address) => `/api/v1/trader/${address}/context`,
    ),
  getTraderContextMarkdown: ({ traders }) =>
    [...Object.values(traders).map(({ address }) => address), UNSEEN_WALLET].map(
      (address) => `/api/v1/trader/${address}/context.md`,
    ),
  getTraderPnl: ({ traders }) =>
    Object.values(traders).flatMap(({ address }) => [
      `/api/v1/trader/${address}/pnl`,
      `/api/v1/trader/${address}/pnl?from=2026-11-02&to=2026-11-20&sections[]=entries&sections[]=drawdown`,
    ]),
  getTraderGradeAt: ({ traders }) =>
    Object.values(traders).flatMap(({ address }) => [
      `/api/v1/trader/${address}/grade-at?as_of=2026-11-20T12:00:00Z`,
      `/api/v1/trader/${address}/grade-at?as_of=2025-01-01T00:00:00Z`,
    ]),
  getTraderCategoryRecords: ({ traders }) =>
    Object.values(traders).flatMap(({ address }) => [
      `/api/v1/trader/${address}/categories`,
      `/api/v1/trader/${address}/categories?category=Golf`,
    ]),
  listLargeTrades: ({ trades }) => [
    "/api/v1/large-trades?min_size=0",
    "/api/v1/large-trades?limit=1",
    "/api/v1/large-trades?sort=market_volume_share",
    `/api/v1/large-trades?since=wt_${trades.first}`,
  ],
  listLargeTradeHistory: () => ["/api/v1/large-trades/history", "/api/v1/large-trades/history?limit=1"],
  getLargeTrade: ({ trades }) => Object.values(trades).map((id) => `/api/v1/large-trades/wt_${id}`),
  listLargeTradeCounterpartyExecutions: ({ trades }) => executionsOf("large-trades", trades),
  listLargeTradeCounterpartyMakers: ({ trades }) => makersOf("large-trades", trades.matched),
  listWhaleTradeCounterpartyExecutions: ({ trades }) => executionsOf("whale-trades", trades),
  listWhaleTradeCounterpartyMakers: ({ trades }) => makersOf("whale-trades", trades.matched),
  listWhaleTrades: () => ["/api/v1/whale-trades"],
  listWhaleTradeHistory: () => ["/api/v1/whale-trades/history"],
  getWhaleTrade: ({ trades }) => Object.values(trades).map((id) => `/api/v1/whale-trades/${id}`),
  listSharpMoneyFlows: () => [
    "/api/v1/markets/sharp-money-flows",
    "/api/v1/markets/sharp-money-flows?limit=1&window=24h",
  ],
  listSmartMoneyFlows: () => ["/api/v1/markets/smart-money-flows"],
  listSuspiciousTrades: () => ["/api/v1/suspicious-trades", "/api/v1/suspicious-trades?mode=stable&limit=1"],
  getSuspiciousTrade: ({ flags }) => Object.values(flags).map((id) => `/api/v1/suspicious-trades/rf_${id}`),
  listInsiderRadar: () => ["/api/v1/insider-radar"],
  getInsiderRadarFlag: ({ flags }) => Object.values(flags).map((id) => `/api/v1/insider-radar/${id}`),
  listGames: () => ["/api/v1/games", "/api/v1/games?limit=1", "/api/v1/games?status=live&sport=basketball"],
  getGame: ({ games }) => Object.values(games).map(({ slug }) => `/api/v1/games/${slug.toUpperCase()}`),
  listPositions: ({ traders }) => [
    "/api/v1/positions",
    "/api/v1/positions?limit=1",
    `/api/v1/positions?wallet=${traders.known.address}&consistency=snapshot&limit=1`,
  ],
  listLargePositions: () => ["/api/v1/large-positions", "/api/v1/large-positions?limit=1"],
  getEventReplaySince: ({ traders, markets }) => [
    "/api/v1/events/feed/since",
    "/api/v1/events/feed/since?limit=1&expand=trade",
    `/api/v1/events/feed/since?trader=${traders.known.address}&condition_id=mkt_${markets.full.id}&min_grade=B&min_size=100`,
  ],
  getPositionTimeline: ({ traders, markets }) => [
    `/api/v1/trader/${traders.known.address}/position-timeline?condition_id=${markets.full.conditionId}`,
    `/api/v1/trader/@known/position-timeline?condition_id=mkt_${markets.full.id}&limit=1`,
  ],
  getPositionTimelineById: ({ traders, markets }) => [
    `/api/v1/traders/${traders.known.id}/position-timeline?condition_id=${markets.full.conditionId}`,
  ],
  listLeaderboard: () => ["/api/v1/leaderboard", "/api/v1/leaderboard?limit=1"],
  listTrendingWallets: () => ["/api/v1/leaderboard/trending", "/api/v1/leaderboard/trending?window=30d&limit=1"],
  searchMarkets: () => ["/api/v1/markets/search?q=market", "/api/v1/markets/search?q=market&limit=1"],
  getReports: () =>
    ["daily&period=2026-11-20", "weekly&period=2026-47", "monthly&period=2026-11"].map(
      (parameters) => `/api/v1/reports?granularity=${parameters}`,
    ),
  getDailyReportSnapshot: () => ["2026-11-20", TOMORROW].map((date) => `/api/v1/reports/daily?date=${date}`),
  getWeeklyReportSnapshot: () => [
    "/api/v1/reports/weekly?week=2026-47",
    "/api/v1/reports/weekly?from=2026-11-20&to=2026-11-20",
  ],
  getMonthlyReportSnapshot: () => ["/api/v1/reports/monthly?month=2026-11"],
  searchContent: () => ["/api/v1/content/search?q=grade", "/api/v1/content/search?q=suspicios+trades&limit=1"],
  exploreMarkets: () => ["/api/v1/markets/explore", "/api/v1/markets/explore?limit=1"],
  getMarketSnapshot: ({ markets }) =>
    Object.values(markets).flatMap(({ id }) => [
      `/api/v1/market/mkt_${id}/snapshot`,
      `/api/v1/market/mkt_${id}/snapshot?expand=trust`,
    ]),
  getMarketCandles: ({ markets }) =>
    Object.values(markets).flatMap(({ id }) => [
      `/api/v1/market/mkt_${id}/candles`,
      `/api/v1/market/mkt_${id}/candles?resolution=1w`,
    ]),
  getMarketFlow: ({ markets }) => Object.values(markets).map(({ id }) => `/api/v1/market/mkt_${id}/flow?timeframe=7d`),
  getMarketIntel: ({ markets }) => Object.values(markets).map(({ id }) => `/api/v1/market/mkt_${id}/intel`),
  batchGetMarketFlow: ({ markets }) => [flowBatch("flow", markets)],
  batchGetMarketIntel: ({ markets }) => [flowBatch("intel", markets)],
  getMarketHolders: ({ markets }) =>
    ["", "?limit=1", "?outcome=no"].map((query) => `/api/v1/market/mkt_${markets.full.id}/holders${query}`),
  getPickOfTheDay: () => ["/api/v1/pick-of-the-day"],
  getPickOfTheDayArchive: () => ["/api/v1/pick-of-the-day/archive", "/api/v1/pick-of-the-day/archive?limit=1"],
  getPickOfTheDayLedger: () => ["/api/v1/pick-of-the-day/ledger"],
  getPickOfTheDayLedgerEntry: ({ picks }) => Object.values(picks).map((id) => `/api/v1/pick-of-the-day/ledger/${id}`),
  listComboFills: () => [
    "/api/v1/combos/fills",
    "/api/v1/combos/fills?limit=1",
    "/api/v1/combos/fills?sort=payout&window=all&limit=1",
    "/api/v1/combos/fills?result=pending&legs=4&grades=all&sports=nba&min_stake=1&min_multiplier=2",
  ],
  getCombosSummary: () => ["/api/v1/combos/summary"],
  getCombo: ({ combos }) => Object.values(combos).map(({ conditionId }) => `/api/v1/combos/${conditionId}`),
  getMarketContextMarkdown: ({ markets }) =>
    Object.values(markets).map(({ id }) => `/api/v1/market/mkt_${id}/context.md`),
  listPreGameSides: () => ["/api/v1/sports/pre-game-sides", "/api/v1/sports/pre-game-sides?limit=1"],
  listPreGameSideObservations: () => observations("sports/pre-game-side-observations"),
  listSportsEdgeObservations: () => observations("sports-edge-observations"),
  // Its other views have other shapes and their own test.
  getEdgeHunter: () => ["/api/v1/edge-hunter", "/api/v1/edge-hunter?view=signals&limit=1"],
};

const observations = (path: string) =>
  ["wider_holder", "wider_holder&limit=1", "emerging_pile", "in_play"].map(
    (query) => `/api/v1/${path}?cohort=${query}`,
  );

const flowBatch = (spelling: string, markets: World["markets"]): PostRequest => ({
  path: `/api/v1/markets/${spelling}/batch`,
  body: {
    condition_ids: [...Object.values(markets).map(({ conditionId }) => conditionId), "mkt_1", `0x${"9".repeat(64)}`],
  },
});

/** The counterparty snapshot named in a trade's own response. */
async function snapshotOf(id: number): Promise<{ snapshot_id: string; unavailable_executions: { id: string }[] }> {
  return (await seeded.get(`/api/v1/large-trades/${id}`)).body.data.counterparty_analysis;
}

const executionsOf = (spelling: string, trades: World["trades"]) =>
  Promise.all(
    Object.values(trades).map(
      async (id) =>
        `/api/v1/${spelling}/${id}/counterparties/executions?snapshot_id=${(await snapshotOf(id)).snapshot_id}`,
    ),
  );

async function makersOf(spelling: string, id: number): Promise<string[]> {
  const { snapshot_id, unavailable_executions } = await snapshotOf(id);
  const makers = `/api/v1/${spelling}/${id}/counterparties/executions/${unavailable_executions[0]?.id}/makers?snapshot_id=${snapshot_id}`;
  return [makers, `${makers}&limit=1`];
}

/** Every list with a cursor. Only the search needs q, and observations a cohort; the other lists ignore them. */
const LISTS = OPERATIONS.filter((operation) => takesCursor(operation) && !ADDITIONS.includes(operation.id))
  // Lists of one trader or market are empty only for that one and have their own tests.
  .filter(({ path }) => !path.includes("{"))
  .map(({ id, path }) => ({ id, path: `${path}?q=market&cohort=in_play` }));

let world: World;
let seeded: ApiUnderTest;
let empty: ApiUnderTest;

beforeAll(async () => {
  const full = await openFreshApi();
  world = await aWorld(full.db);
  seeded = full.api;
  const bare = await openFreshApi();
  await emptyLists(bare.db);
  empty = bare.api;
});

/** The status and envelope of an operation's success in the contract. */
function contractSuccess(id: string): { status: number; object: string | null; schema: string | null } {
  const [[status, success] = []] = Object.entries<{ object: string | null; response?: string }>(
    contractOperation(id).success,
  );
  return { status: Number(status), object: success?.object ?? null, schema: success?.response ?? null };
}

test("every operation of the registry has a request here", () => {
  expect(Object.keys(REQUESTS).toSorted()).toEqual(
    // Webhooks belong to the requesting account and have their own test; the contract has no additions.
    API_OPERATIONS.filter(
      ({ kind, scope }) => kind !== "stream" && kind !== "retired" && scope !== "webhooks" && scope !== "export",
    )
      .map(({ id }) => id)
      .filter((id) => !ADDITIONS.includes(id))
      .toSorted(),
  );
});

test.each(Object.entries(REQUESTS))("%s returns every kind of row in the contract's shape", async (id, requests) => {
  const { status, object, schema } = contractSuccess(id);
  for (const request of await requests(world)) {
    const { body, ...result } = await (typeof request === "string"
      ? seeded.get(request)
      : seeded.post(request.path, request.body));
    const path = typeof request === "string" ? request : request.path;
    expect({ path, status: result.status, object: body?.object ?? null }).toEqual({ path, status, object });
    expect({ path, departures: schema === null ? [] : departures(schema, body) }).toEqual({ path, departures: [] });
    // An empty list would not prove the shape of its rows.
    expect({ path, data: body?.data }).not.toEqual({ path, data: [] });
  }
});

test.each(LISTS)("$id returns an empty list in the contract's shape", async ({ id, path }) => {
  const result = await empty.get(path);
  expect(result.body).toMatchObject({ object: "list", data: [], has_more: false });
  expect(departures(contractSuccess(id).schema ?? "", result.body)).toEqual([]);
});
