import { beforeAll, expect, test } from "vitest";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { contractOperation, departures } from "../../contract/contract.ts";
import type { ApiUnderTest } from "../../support/api-under-test.ts";
import { openFreshApi } from "../../support/fresh-api.ts";
import { aWorld, emptyLists, type World } from "../../support/seed/world.ts";

const UNSEEN_WALLET = `0x${"e".repeat(40)}`;

/** What each operation is asked of the seeded database: every kind of row at least once. */
const REQUESTS: Record<string, (world: World) => string[]> = {
  getApiDiscovery: () => ["/api/v1"],
  getUsage: () => ["/api/v1/usage"],
  getAccountIdentity: () => ["/api/v1/me"],
  redirectApiOpenapiSpec: () => ["/api/v1/openapi.json"],
  getHealth: () => ["/api/v1/health"],
  getCoverage: () => ["/api/v1/coverage"],
  getPlatforms: () => ["/api/v1/platforms"],
  getTrader: ({ wallets }) =>
    [...Object.values(wallets).map(({ address }) => address), UNSEEN_WALLET].map(
      (address) => `/api/v1/trader/${address}?expand=strategy,categories,quant_metrics,trust`,
    ),
  listLargeTrades: ({ trades }) => [
    "/api/v1/large-trades?min_size=0",
    "/api/v1/large-trades?limit=1",
    "/api/v1/large-trades?sort=market_volume_share",
    `/api/v1/large-trades?since=wt_${trades.first}`,
  ],
  listLargeTradeHistory: () => ["/api/v1/large-trades/history", "/api/v1/large-trades/history?limit=1"],
  getLargeTrade: ({ trades }) => Object.values(trades).map((id) => `/api/v1/large-trades/wt_${id}`),
  listWhaleTrades: () => ["/api/v1/whale-trades"],
  listWhaleTradeHistory: () => ["/api/v1/whale-trades/history"],
  getWhaleTrade: ({ trades }) => Object.values(trades).map((id) => `/api/v1/whale-trades/${id}`),
  listLeaderboard: () => ["/api/v1/leaderboard", "/api/v1/leaderboard?limit=1"],
  listTrendingWallets: () => ["/api/v1/leaderboard/trending", "/api/v1/leaderboard/trending?window=30d&limit=1"],
  searchMarkets: () => ["/api/v1/markets/search?q=market", "/api/v1/markets/search?q=market&limit=1"],
  exploreMarkets: () => ["/api/v1/markets/explore", "/api/v1/markets/explore?limit=1"],
  getMarketSnapshot: ({ markets }) =>
    Object.values(markets).flatMap(({ id }) => [`/api/v1/market/mkt_${id}/snapshot`, `/api/v1/market/mkt_${id}/snapshot?expand=trust`]),
};

/** Every list; search alone needs words, the others leave them aside. */
const LISTS = OPERATIONS.filter((operation) => operation.kind === "list").map(({ id, path }) => ({ id, path: `${path}?q=market` }));

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

/** The status and the envelope that the contract gives an operation's success. */
function promised(id: string): { status: number; object: string | null; schema: string | null } {
  const [[status, success] = []] = Object.entries<{ object: string | null; response?: string }>(contractOperation(id).success);
  return { status: Number(status), object: success?.object ?? null, schema: success?.response ?? null };
}

test("every operation of the registry is asked something here", () => {
  expect(Object.keys(REQUESTS).toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted());
});

test.each(Object.entries(REQUESTS))("%s answers every kind of row in the contract's shape", async (id, requests) => {
  const { status, object, schema } = promised(id);
  for (const path of requests(world)) {
    const { body, ...answer } = await seeded.get(path);
    expect({ path, status: answer.status, object: body?.object ?? null }).toEqual({ path, status, object });
    expect({ path, departures: schema === null ? [] : departures(schema, body) }).toEqual({ path, departures: [] });
    // A list without rows would say nothing about their shape.
    expect({ path, data: body?.data }).not.toEqual({ path, data: [] });
  }
});

test.each(LISTS)("$id answers an empty list in the contract's shape", async ({ id, path }) => {
  const answer = await empty.get(path);
  expect(answer.body).toMatchObject({ object: "list", data: [], has_more: false });
  expect(departures(promised(id).schema ?? "", answer.body)).toEqual([]);
});
