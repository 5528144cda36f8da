import { beforeAll, describe, expect, test } from "vitest";
import { openFreshApi, errorOf, type FreshApi } from "../../../support/api/fresh-api.ts";
import { departures } from "../../../contract/contract.ts";
import { aFill } from "../../../support/seed/fills.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { someDays } from "../../../support/seed/traders/pnl.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";
import { DAY_MS } from "../../../../src/scoring/utc-calendar.ts";

/** The UTC day this many days before today. */
const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));
/** Far from today, so that midnight during the test moves no day out of a window. */
const STORY = [
  { day: "2024-12-31", realizedMicro: usd(100), volumeMicro: usd(250.5) },
  { day: "2025-01-01", settledMicro: usd(-30), feesMicro: usd(1.259) },
  { day: "2025-01-20", realizedMicro: usd(10) },
  { day: "2025-02-02", realizedMicro: usd(-20), rebatesMicro: usd(0.5) },
];

let fresh: FreshApi;
let wallet: SeededTrader;

beforeAll(async () => {
  fresh = await openFreshApi();
  wallet = await aSeededTrader(fresh.db, { completeAt: new Date("2026-11-20T00:00:00Z") });
  await someDays(fresh.db, wallet, STORY);
  const market = await aMarket(fresh.db);
  await aFill(fresh.db, { trader: wallet, market, at: "2024-12-31T10:00:00Z" });
  await aFill(fresh.db, { trader: wallet, market, at: "2025-01-20T10:00:00Z" });
});

const read = async (query = "") => (await fresh.api.get(`/api/v1/trader/${wallet.address}/pnl${query}`)).body.data;

test("a request without parameters returns every section and no view", async () => {
  const response = await fresh.api.get(`/api/v1/trader/trd_${wallet.id}/pnl`);
  expect(response.body.object).toBe("trader_pnl");
  expect(departures("TraderPnlResponse", response.body)).toEqual([]);
  expect(Object.keys(response.body.data).toSorted()).toEqual([
    "completeness",
    "drawdown",
    "entries",
    "freshness_at",
    "id",
    "monthly",
    "stats",
    "year_totals",
  ]);
  expect(response.body.data.freshness_at).toBe("2026-11-20T00:00:00.000Z");
});

test("days, months, years and drawdown equal figures calculated by hand", async () => {
  const data = await read();
  expect(data.entries).toEqual([
    { date: "2024-12-31", markets_traded: 1, total_volume: 250.5, cumulative_profit: 100, daily_change: 100 },
    // -30 - 1.259, truncated toward zero.
    { date: "2025-01-01", markets_traded: 0, total_volume: 0, cumulative_profit: 68.74, daily_change: -31.25 },
    { date: "2025-01-20", markets_traded: 1, total_volume: 0, cumulative_profit: 78.74, daily_change: 10 },
    { date: "2025-02-02", markets_traded: 0, total_volume: 0, cumulative_profit: 59.24, daily_change: -19.5 },
  ]);
  expect(data.monthly).toEqual([
    { year: 2024, month: 12, pnl: 100, markets_traded: 1 },
    { year: 2025, month: 1, pnl: -21.25, markets_traded: 1 },
    { year: 2025, month: 2, pnl: -19.5, markets_traded: 0 },
  ]);
  expect(data.year_totals).toEqual([
    { year: 2024, pnl: 100 },
    { year: 2025, pnl: -40.75 },
  ]);
  expect(data.drawdown.map((point: { drawdown: number }) => point.drawdown)).toEqual([0, -31.25, -21.25, -40.75]);
});

test("statistics cover the whole history whatever the window, and an empty window has no change", async () => {
  const { stats } = await read("?from=2025-01-15");
  expect(stats.all).toEqual({
    current: 59.24,
    change: 59.24,
    change_pct: 100,
    best_day: 100,
    best_day_date: "2024-12-31",
    worst_day: -31.25,
    worst_day_date: "2025-01-01",
    win_days: 2,
    loss_days: 2,
    avg_day: 14.81,
    rebase_anchor: 0,
  });
  expect(stats.d90).toEqual({
    current: 59.24,
    change: 0,
    change_pct: 0,
    best_day: 0,
    worst_day: 0,
    win_days: 0,
    loss_days: 0,
    avg_day: 0,
    rebase_anchor: 59.24,
  });
});

test("trailing windows end today", async () => {
  const { db, api } = await openFreshApi();
  const recent = await aSeededTrader(db, { completeAt: new Date() });
  await someDays(db, recent, [
    { day: dayAgo(40), realizedMicro: usd(-50) },
    { day: dayAgo(20), realizedMicro: usd(25) },
    { day: dayAgo(3), realizedMicro: usd(5) },
  ]);
  const { stats } = (await api.get(`/api/v1/trader/${recent.address}/pnl?sections=stats`)).body.data;
  const windowFigures = ({ change, change_pct, rebase_anchor }: Record<string, number>) => [
    change,
    change_pct,
    rebase_anchor,
  ];
  expect(windowFigures(stats.all)).toEqual([-20, -100, 0]);
  expect(windowFigures(stats.d90)).toEqual([-20, -100, 0]);
  expect(windowFigures(stats.d30)).toEqual([30, 60, -50]);
  expect(windowFigures(stats.d7)).toEqual([5, 20, -25]);
});

describe("a view of profits", () => {
  test("a view selects days and drawdown without rebasing them and has an anchor before the window", async () => {
    const data = await read("?from=2025-01-02&to=2025-01-20&sections=drawdown,entries");
    expect(data.view).toEqual({
      from: "2025-01-02",
      to: "2025-01-20",
      sections: ["entries", "drawdown"],
      entries_total: 4,
      entries_in_window: 1,
      anchor: { date: "2025-01-01", cumulative_profit: 68.74, total_pnl: null, drawdown: -31.25 },
    });
    expect(data.entries).toMatchObject([{ date: "2025-01-20", cumulative_profit: 78.74 }]);
    expect(data.drawdown).toMatchObject([{ date: "2025-01-20", drawdown: -21.25 }]);
    expect(Object.keys(data).toSorted()).toEqual(["completeness", "drawdown", "entries", "freshness_at", "id", "view"]);
  });

  test.each([
    ["?to=2025-01-20", { from: null, to: "2025-01-20", entries_in_window: 3, anchor: null }],
    ["?from=2024-12-31", { from: "2024-12-31", to: null, entries_in_window: 4, anchor: null }],
    ["?from=2025-03-01", { entries_in_window: 0, anchor: { date: "2025-02-02", cumulative_profit: 59.24 } }],
    ["?sections[]=monthly&sections[]=stats", { sections: ["stats", "monthly"], entries_total: 4 }],
  ])("the view of %s has the requested bounds and sections", async (query, view) => {
    expect((await read(query)).view).toMatchObject(view);
  });

  test("months and years are not affected by a view", async () => {
    const data = await read("?from=2025-01-15&to=2025-01-16");
    expect(data.entries).toEqual([]);
    expect(data.monthly).toHaveLength(3);
    expect(data.year_totals).toHaveLength(2);
  });
});

test.each([
  ["?from=2025-02-01&to=2025-01-31", "from"],
  ["?from=2025-02-30", "from"],
  ["?to=yesterday", "to"],
  ["?sections=entries,profit", "sections"],
  ["?sections[]=profit", "sections"],
])("the query %s is refused with param %s", async (query, param) => {
  expect(errorOf(await fresh.api.get(`/api/v1/trader/${wallet.address}/pnl${query}`))).toMatchObject({
    status: 400,
    param,
  });
});

test("the PnL of an unknown trader returns 404", async () => {
  const response = await fresh.api.get(`/api/v1/trader/0x${"e".repeat(40)}/pnl`);
  expect(errorOf(response)).toMatchObject({ status: 404, param: "address" });
});

test("a trader with an incomplete history has no curve, not an empty one", async () => {
  const pending = await aSeededTrader(fresh.db, { isFollowed: true });
  await someDays(fresh.db, pending, [{ day: "2026-11-01", realizedMicro: usd(5) }]);
  const response = await fresh.api.get(`/api/v1/trader/${pending.address}/pnl?from=2025-01-01`);
  expect(response.body.data).toEqual({
    id: `trd_${pending.id}`,
    freshness_at: null,
    completeness: { status: "unavailable", detail: "the trader's history is still being read" },
  });
});

test("each view has its own ETag, and an unchanged one returns 304", async () => {
  const path = `/api/v1/trader/${wallet.address}/pnl`;
  const [bare, viewed] = [
    await fresh.api.get(path),
    await fresh.api.get(`${path}?sections=entries,stats,monthly,year_totals,drawdown`),
  ];
  expect(viewed.headers.get("etag")).not.toBe(bare.headers.get("etag"));
  const again = await fresh.api.get(path, { "if-none-match": bare.headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
});
