import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { traders } from "../../../../src/db/schema.ts";
import { addDays } from "../../../../src/domain/reports/report-periods.ts";
import { utcDate } from "../../../../src/scoring/utc-calendar.ts";
import type { ApiUnderTest } from "../../../support/api/api-under-test.ts";
import { openFreshApi, errorOf, type FreshApi } from "../../../support/api/fresh-api.ts";
import { setFeedWatermark, rebuildReportsAt } from "../../../support/ingest/worlds/rebuilt-reports.ts";
import { aLargeTrade } from "../../../support/seed/large-trades.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const DAILY = "/api/v1/reports/daily";
const WEEKLY = "/api/v1/reports/weekly";
const MONTHLY = "/api/v1/reports/monthly";

/** Requests use the real clock, so days are counted from today, which each test reads. */
let today: string;
const day = (offset: number) => addDays(today, offset);
const at = (offset: number, time = "12:00:00") => `${day(offset)}T${time}Z`;
const month = (offset: number) => day(offset).slice(0, 7);

let fresh: FreshApi;
let api: ApiUnderTest;
let db: Database;
const tradeAt = (when: string, facts: Parameters<typeof aLargeTrade>[1] = {}) =>
  aLargeTrade(db, { ...facts, tradedAt: new Date(when) });
const dataOf = async (path: string) => (await api.get(path)).body.data;

beforeEach(async () => {
  today = utcDate(Date.now());
  fresh = await openFreshApi();
  ({ api, db } = fresh);
});

describe("report periods", () => {
  const refused = (param: string) => ({ status: 400, reason: "invalid_query", param });

  test("a report exists for the days from the first covered one to tomorrow, on every route", async () => {
    await tradeAt(at(-40));
    const allowed = [day(-40), day(0), day(1)];
    for (const date of allowed)
      expect({ date, status: (await api.get(`${DAILY}?date=${date}`)).status }).toEqual({ date, status: 200 });
    for (const date of [day(-41), day(2), "2026-02-30", "0000-01-01", "9999-12-31"]) {
      expect({ date, ...errorOf(await api.get(`${DAILY}?date=${date}`)) }).toEqual({ date, ...refused("date") });
      const period = `/api/v1/reports?granularity=daily&period=${date}`;
      expect({ date, ...errorOf(await api.get(period)) }).toEqual({ date, ...refused("period") });
    }
    expect((await api.get(`${WEEKLY}?from=${day(-40)}&to=${day(-10)}`)).status).toBe(200);
    expect(errorOf(await api.get(`${WEEKLY}?from=${day(-41)}&to=${day(-20)}`))).toEqual(refused("from"));
    expect(errorOf(await api.get(`${WEEKLY}?from=${day(0)}&to=${day(2)}`))).toEqual(refused("to"));
    expect((await api.get(`${MONTHLY}?month=${month(-40)}`)).status).toBe(200);
    expect(errorOf(await api.get(`${MONTHLY}?month=2020-01`))).toEqual(refused("month"));
    expect(errorOf(await api.get(`${WEEKLY}?week=2020-10`))).toEqual(refused("week"));
  });

  test.each([
    [`${WEEKLY}`, "week"],
    [`${WEEKLY}?week=2026-47&from=2026-11-01&to=2026-11-02`, "week"],
    [`${WEEKLY}?week=2021-53`, "week"],
    [`${WEEKLY}?from=2026-11-01`, "to"],
    [`${WEEKLY}?to=2026-11-01`, "from"],
    [`${WEEKLY}?from=2026-11-02&to=2026-11-01`, "to"],
    [`${WEEKLY}?from=2026-01-01&to=2026-02-01`, "from"],
    [`${WEEKLY}?from=2026-02-30&to=2026-03-01`, "from"],
    [`${WEEKLY}?from=9999-12-30&to=9999-12-31`, "from"],
    [`${MONTHLY}?month=2026-13`, "month"],
    [`${MONTHLY}?month=9999-12`, "month"],
    [`${MONTHLY}`, "month"],
    [`${DAILY}?date=20261120`, "date"],
    ["/api/v1/reports?granularity=weekly&period=2026-01-01,2026-02-01", "period"],
    ["/api/v1/reports?granularity=weekly&period=2026-01-01,2026-01-02,2026-01-03", "period"],
    ["/api/v1/reports?granularity=daily&period=2026-01-01,2026-01-02", "period"],
    ["/api/v1/reports?granularity=daily", "period"],
    ["/api/v1/reports?period=2026-11-01", "granularity"],
  ])("the report request %s is refused with param %s", async (path, param) => {
    expect(errorOf(await api.get(path))).toEqual(refused(param));
  });

  test("a range of 31 days is accepted", async () => {
    await tradeAt(at(-60));
    expect((await dataOf(`${WEEKLY}?from=${day(-31)}&to=${day(-1)}`)).completeness.expected_days).toBe(31);
  });
});

describe("stored report", () => {
  test("a stored report of a settled day is final and complete, with figures truncated to cents", async () => {
    await tradeAt(at(-9));
    const market = await aMarket(db, { title: "Will it rain?" });
    const wallet = await aSeededTrader(db, { username: "known", grade: "A" });
    const facts = { market, trader: wallet, category: "Politics", price: "0.62159", sizeUsdMicro: 12_345_678_901n };
    const id = await tradeAt(at(-3), facts);
    await tradeAt(at(-3, "23:59:59"), { sizeUsdMicro: 5_000_009_999n });
    await setFeedWatermark(db, at(0));
    await rebuildReportsAt(fresh.openPool(), at(0));
    // Grades are those of the snapshot, not those at the time of the request.
    await db.update(traders).set({ grade: "F" });
    const { body, headers } = await api.get(`${DAILY}?date=${day(-3)}`);
    expect(headers.get("etag")).toBeNull();
    expect(body.object).toBe("report_snapshot");
    expect(body.data).toMatchObject({
      kind: "daily",
      generated_at: at(0, "12:00:00.000"),
      source_range: { start_date: day(-3), end_date: day(-3), timezone: "UTC" },
      snapshot: {
        version: 1,
        storage: "durable",
        status: "final",
        mutable_until: null,
        period_closed: true,
        final_after: at(-2, "02:05:30.000"),
        source_read_started_at: at(0, "12:00:00.000"),
      },
      completeness: {
        status: "complete",
        expected_days: 1,
        covered_days_with_large_trade_activity: 1,
        covered_days_with_whale_activity: 1,
      },
      reconciliation: { volume_kind: "local_whale_activity_volume" },
      report: {
        total_large_trades: 2,
        total_whale_trades: 2,
        total_large_trade_volume: 17_345.68,
        total_whale_volume: 17_345.68,
        biggest_trade_size: 12_345.67,
        active_traders: 2,
        categories: [{ category: "Politics", whale_trade_count: 1, category_volume: 12_345.67 }],
        grade_distribution: [
          { grade: "A", count: 1 },
          { grade: null, count: 1 },
        ],
      },
    });
    expect(body.data.report.top_large_trades[0]).toEqual({
      outcome: "Yes",
      side: "BUY",
      title: "Will it rain?",
      size: 12_345.67,
      price: 0.6215,
      token_id: market.outcomes[0].tokenId,
      id,
      trade_time: at(-3, "12:00:00.000"),
      market_category: "Politics",
      platform: "polymarket",
      name: "known",
      pseudonym: null,
      trader_grade: "A",
    });
    expect(body.data.report.top_whale_trades).toEqual(body.data.report.top_large_trades);
  });

  test("a report lists the 50 largest trades of a day, 100 of a week or range, and 200 of a month", async () => {
    const wallet = await aSeededTrader(db);
    const market = await aMarket(db);
    // The middle of a past month, so that day, week and month are complete.
    const when = `${addDays(`${month(0)}-01`, -15)}T12:00:00Z`;
    for (let n = 0; n < 205; n++)
      await tradeAt(when, { trader: wallet, market, sizeUsdMicro: 5_000_000_000n + BigInt(n) * 1_000_000n });
    const on = when.slice(0, 10);
    const sizes = async (path: string) =>
      (await dataOf(path)).report.top_large_trades.map((trade: { size: number }) => trade.size);
    for (const [path, count] of [
      [`${DAILY}?date=${on}`, 50],
      [`${WEEKLY}?from=${on}&to=${on}`, 100],
      [`${MONTHLY}?month=${on.slice(0, 7)}`, 200],
    ] as const) {
      expect(await sizes(path)).toEqual(Array.from({ length: count }, (_, n) => 5_204 - n));
    }
    await setFeedWatermark(db, at(0));
    await rebuildReportsAt(fresh.openPool(), at(0));
    expect(await sizes(`${MONTHLY}?month=${on.slice(0, 7)}`)).toHaveLength(200);
  });

  test("a stored report of today is rolling and partial", async () => {
    await tradeAt(at(-1));
    await tradeAt(at(0, "00:00:01"));
    await setFeedWatermark(db, at(0, "00:00:02"));
    await rebuildReportsAt(fresh.openPool(), at(0, "00:00:03"));
    expect(await dataOf(`${DAILY}?date=${today}`)).toMatchObject({
      snapshot: { version: 1, storage: "durable", status: "rolling", mutable_until: day(1), period_closed: false },
      completeness: { status: "partial", reason: "The range has not ended." },
      report: { total_large_trades: 1 },
    });
  });
});

describe("report without a stored snapshot", () => {
  test("a report that is not stored is computed as rolling version 0 until the job stores it", async () => {
    await tradeAt(at(-9));
    await tradeAt(at(-2));
    await setFeedWatermark(db, at(0));
    const path = `${DAILY}?date=${day(-2)}`;
    expect(await dataOf(path)).toMatchObject({
      snapshot: { version: 0, storage: "ephemeral", status: "rolling", mutable_until: day(-1), period_closed: true },
      report: { total_large_trades: 1 },
    });
    await rebuildReportsAt(fresh.openPool(), at(0));
    expect((await dataOf(path)).snapshot).toMatchObject({ version: 1, storage: "durable", status: "final" });
  });

  test("a report of a custom range is final once the range is settled, and is never stored", async () => {
    await tradeAt(at(-9));
    await tradeAt(at(-3));
    await setFeedWatermark(db, at(0, "00:00:01"));
    const path = `${WEEKLY}?from=${day(-5)}&to=${day(-2)}`;
    const [first, second] = [
      await dataOf(path),
      await dataOf(`/api/v1/reports?granularity=weekly&period=${day(-5)},${day(-2)}`),
    ];
    expect(first).toMatchObject({
      kind: "weekly",
      source_range: { start_date: day(-5), end_date: day(-2) },
      snapshot: { version: 0, storage: "ephemeral", status: "final", mutable_until: null },
      completeness: { status: "complete", expected_days: 4, covered_days_with_large_trade_activity: 1 },
      report: { total_large_trades: 1 },
    });
    expect(second.report).toEqual(first.report);
    expect((await dataOf(`${WEEKLY}?from=${day(-5)}&to=${day(0)}`)).snapshot).toMatchObject({
      version: 0,
      status: "rolling",
    });
    const { rows } = await db.execute("select count(*)::int as stored from report_snapshots");
    expect(rows).toEqual([{ stored: 0 }]);
  });
});

describe("day without large trades", () => {
  const NULLS = {
    total_large_trades: null,
    total_whale_trades: null,
    total_large_trade_volume: null,
    total_whale_volume: null,
    biggest_trade_size: null,
    active_traders: null,
    top_large_trades: null,
    top_whale_trades: null,
    categories: null,
    grade_distribution: null,
  };

  test("a covered day without large trades has counts of 0 and the status empty", async () => {
    await tradeAt(at(-9));
    await setFeedWatermark(db, at(0, "00:00:01"));
    const data = await dataOf(`${DAILY}?date=${day(-4)}`);
    expect(data.report).toEqual({
      ...NULLS,
      total_large_trades: 0,
      total_whale_trades: 0,
      total_large_trade_volume: 0,
      total_whale_volume: 0,
      active_traders: 0,
      top_large_trades: [],
      top_whale_trades: [],
      categories: [],
      grade_distribution: [],
    });
    expect(data.completeness).toMatchObject({
      status: "empty",
      reason: expect.stringMatching(/^No large trade was detected\./),
    });
  });

  test("a future day has null figures and the reason", async () => {
    await tradeAt(at(-9));
    await setFeedWatermark(db, at(0, "00:00:01"));
    const data = await dataOf(`${DAILY}?date=${day(1)}`);
    expect(data.report).toEqual(NULLS);
    expect(data.completeness).toMatchObject({
      status: "empty",
      reason: "No trades of the range have been read yet. The range has not started.",
    });
  });

  test("a day that the feed has not covered has null figures and the reason", async () => {
    await tradeAt(at(-9));
    await setFeedWatermark(db, at(-5));
    const data = await dataOf(`${DAILY}?date=${day(-4)}`);
    expect(data.report).toEqual(NULLS);
    expect(data.completeness.reason).toBe(
      "No trades of the range have been read yet. The trade feed has not been read up to the range without a gap.",
    );
  });

  test("a day before the first read of the feed has null figures", async () => {
    const data = await dataOf(`${DAILY}?date=${today}`);
    expect(data.report).toEqual(NULLS);
    expect(data.completeness.status).toBe("empty");
  });
});

test("the first day of detection stays partial with the reason", async () => {
  await tradeAt(at(-9));
  await setFeedWatermark(db, at(0));
  await rebuildReportsAt(fresh.openPool(), at(0));
  const data = await dataOf(`${DAILY}?date=${day(-9)}`);
  expect(data.snapshot.status).toBe("final");
  expect(data.completeness).toMatchObject({
    status: "partial",
    reason: `Detection began on ${day(-9)}; earlier trades in the range are not known.`,
  });
});
