import { expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { jobHeartbeats } from "../../../../src/db/schema.ts";
import { idsOf, openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aGeneration, aTrendingRow } from "../../../support/seed/lists.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { someProviderFigures } from "../../../support/seed/traders/pnl.ts";
import { aPosition } from "../../../support/seed/traders/positions.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

const OWN_FIELDS = ["all_time_pnl_usd", "all_time_pnl_as_of", "all_time_score", "pnl_correction"];
const TRENDING = "/api/v1/leaderboard/trending";
const BUILT_AT = new Date("2026-11-20T12:00:00Z");
const trd = (wallet: SeededTrader) => `trd_${wallet.id}`;

/** A trending generation with these traders in this order. */
async function aProviderBoard(
  db: Database,
  list: string,
  wallets: readonly SeededTrader[],
  facts: object = {},
): Promise<void> {
  const generation = await aGeneration(db, list, BUILT_AT, wallets.length);
  for (const [index, { id }] of wallets.entries()) {
    const known = { providerPnl: "1", windowMarketsTraded: 0, windowTradeDays: 0, dailyPnl: [] };
    await aTrendingRow(db, { generation, rank: index + 1, traderId: id, ...known, ...facts });
  }
}

test("trending traders keep the provider's order and rank over all pages", async () => {
  const { api, db } = await openFreshApi();
  const [a, b, c] = [await aSeededTrader(db), await aSeededTrader(db), await aSeededTrader(db)];
  await aProviderBoard(db, "trending:7d", [c, a, b]);
  const pages = await api.walk(`${TRENDING}?limit=2`);
  expect(pages.flatMap(idsOf)).toEqual([c, a, b].map(trd));
  expect(pages.flatMap(({ body }) => body.data.map((row: { rank: number }) => row.rank))).toEqual([1, 2, 3]);
  expect(pages.map(({ body }) => body.total)).toEqual([3, 3]);
});

test("trending uses the 7-day window by default, and the 30-day window has its own list", async () => {
  const { api, db } = await openFreshApi();
  const [week, month] = [await aSeededTrader(db), await aSeededTrader(db)];
  await aProviderBoard(db, "trending:7d", [week]);
  await aProviderBoard(db, "trending:30d", [month]);
  expect(idsOf(await api.get(TRENDING))).toEqual([trd(week)]);
  expect(idsOf(await api.get(`${TRENDING}?window=7d`))).toEqual([trd(week)]);
  expect(idsOf(await api.get(`${TRENDING}?window=30d`))).toEqual([trd(month)]);
  expect(errorOf(await api.get(`${TRENDING}?window=24h`))).toEqual({
    status: 400,
    reason: "invalid_query",
    param: "window",
  });
});

test("a trending page has at most the 50 rows of the provider's board", async () => {
  const { api, db } = await openFreshApi();
  await aProviderBoard(db, "trending:7d", Array(51).fill(await aSeededTrader(db)));
  const { body, headers } = await api.get(`${TRENDING}?limit=100`);
  expect(body.data).toHaveLength(50);
  expect(headers.get("x-effective-query")).toBe("limit=50");
});

test("a trending cursor binds window and limit", async () => {
  const { api, db } = await openFreshApi();
  await aProviderBoard(db, "trending:7d", [await aSeededTrader(db), await aSeededTrader(db)]);
  await aProviderBoard(db, "trending:30d", [await aSeededTrader(db)]);
  const cursor = (await api.get(`${TRENDING}?limit=1`)).body.next_cursor;
  for (const query of ["window=30d&limit=1", "limit=2"]) {
    const refusal = errorOf(await api.get(`${TRENDING}?${query}&cursor=${cursor}`));
    expect({ query, ...refusal }).toEqual({ query, status: 400, reason: "invalid_query", param: "cursor" });
  }
});

test("a trending walk continues in its generation", async () => {
  const { api, db } = await openFreshApi();
  const [a, b] = [await aSeededTrader(db), await aSeededTrader(db)];
  await aProviderBoard(db, "trending:7d", [a, b]);
  const first = await api.get(`${TRENDING}?limit=1`);
  await aProviderBoard(db, "trending:7d", [b, a]);
  expect(idsOf(await api.get(`${TRENDING}?limit=1&cursor=${first.body.next_cursor}`))).toEqual([trd(b)]);
  expect(idsOf(await api.get(`${TRENDING}?limit=1`))).toEqual([trd(b)]);
});

test("a trending window that was never read returns 503 read_model_warming", async () => {
  const { api, db } = await openFreshApi();
  await aProviderBoard(db, "trending:7d", [await aSeededTrader(db)]);
  const response = await api.get(`${TRENDING}?window=30d`);
  expect(errorOf(response)).toMatchObject({ status: 503, reason: "read_model_warming" });
  expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
});

test("the provider's figures and ours are truncated toward zero to two decimals", async () => {
  const { api, db } = await openFreshApi();
  const dailyPnl = [
    { date: "2026-11-19", pnl_micro: "-1999999" },
    { date: "2026-11-20", pnl_micro: "1999999" },
  ];
  const facts = { providerPnl: "-1234.5678", providerVolumeShares: "99.999", windowVolumeMicro: 7_777_777n, dailyPnl };
  await aProviderBoard(db, "trending:7d", [await aSeededTrader(db)], {
    ...facts,
    windowMarketsTraded: 3,
    windowTradeDays: 2,
  });
  expect((await api.get(TRENDING)).body.data[0]).toMatchObject({
    trending_pnl_usd: -1234.56,
    window_volume_shares: 99.99,
    window_volume_usd: 7.77,
    window_markets_traded: 3,
    window_trade_days: 2,
    daily_pnl_series: [
      { date: "2026-11-19", pnl_usd: -1.99 },
      { date: "2026-11-20", pnl_usd: 1.99 },
    ],
  });
});

test("a trending row has username, picture, grade and sync time when known", async () => {
  const { api, db } = await openFreshApi();
  const profileImage = "https://images.test/theo.png";
  await aProviderBoard(db, "trending:7d", [
    await aSeededTrader(db, { username: "Theo", profileImage, grade: "S", completeAt: BUILT_AT }),
  ]);
  expect((await api.get(TRENDING)).body.data[0]).toMatchObject({
    username: "Theo",
    profile_image_url: profileImage,
    grade: "S",
    last_synced: "2026-11-20T12:00:00.000Z",
  });
});

test("a trending row has all-time profit, score and correction when known", async () => {
  const { api, db } = await openFreshApi();
  const totals = {
    realizedMicro: 10_000_000n,
    settledMicro: 5_000_000n,
    feesMicro: 1_000_000n,
    rebatesMicro: 500_000n,
  };
  const complete = await aSeededTrader(db, { grade: "S", score: 81.239, completeAt: BUILT_AT, totals });
  const market = await aMarket(db);
  const open = { trader: complete, market, sharesMicro: 1n, costMicro: 4_000_000n };
  await aPosition(db, { ...open, valueMicro: 6_250_000n });
  await aPosition(db, { ...open, outcome: 1, valueMicro: 0n });
  await someProviderFigures(db, complete, {
    measuredAt: BUILT_AT,
    correctionMicro: 2_500_000n,
    realizedMicro: 1n,
    netMicro: 3_250_000n,
    marketsMeasured: 1,
    marketsExcluded: 0,
  });
  const [unpriced, gapped] = [
    await aSeededTrader(db, { completeAt: BUILT_AT, totals }),
    await aSeededTrader(db, { completeAt: BUILT_AT, gaps: ["X"], totals }),
  ];
  await aPosition(db, { ...open, trader: unpriced });
  const valuedAt = new Date("2026-11-20T12:01:30Z");
  await db.insert(jobHeartbeats).values({ job: "value_positions", succeededAt: valuedAt });
  await aProviderBoard(db, "trending:7d", [complete, unpriced, gapped]);
  const [first, ...others] = (await api.get(TRENDING)).body.data;
  // 10 + 5 - 1 + 0.50, and 2.25 and -4.00 unrealized.
  expect(first).toMatchObject({
    all_time_pnl_usd: 12.75,
    all_time_pnl_as_of: "2026-11-20T12:01:30.000Z",
    all_time_score: 81.23,
    pnl_correction: { amount: 2.5, net_total: 3.25 },
  });
  for (const row of others) {
    expect(row).not.toHaveProperty("all_time_pnl_usd");
    expect(row).not.toHaveProperty("all_time_pnl_as_of");
  }
});

test("the all-time profit of a trader without open positions is its realized profit", async () => {
  const { api, db } = await openFreshApi();
  const totals = {
    realizedMicro: 10_000_000n,
    settledMicro: 5_000_000n,
    feesMicro: 1_000_000n,
    rebatesMicro: 500_000n,
  };
  await aProviderBoard(db, "trending:7d", [await aSeededTrader(db, { completeAt: BUILT_AT, totals })]);
  expect((await api.get(TRENDING)).body.data).toMatchObject([{ all_time_pnl_usd: 14.5 }]);
});

test("unknown fields of a trending row are absent", async () => {
  const { api, db } = await openFreshApi();
  await aProviderBoard(db, "trending:7d", [await aSeededTrader(db)]);
  const [row] = (await api.get(TRENDING)).body.data;
  for (const name of [
    "username",
    "profile_image_url",
    "grade",
    "last_synced",
    "window_volume_usd",
    "window_volume_shares",
    ...OWN_FIELDS,
  ]) {
    expect(row).not.toHaveProperty(name);
  }
});
