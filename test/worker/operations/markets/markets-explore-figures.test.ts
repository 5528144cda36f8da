import { beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { outcomeDays } from "../../../../src/db/schema.ts";
import { buildExplore } from "../../../../src/ingest/read-models/explore/build-explore.ts";
import { openFreshApi, type FreshApi } from "../../../support/api/fresh-api.ts";
import { aFill, aTakerTrade } from "../../../support/seed/fills.ts";
import { theTradeFeedWasRead } from "../../../support/seed/large-trades.ts";
import { aMarket, anEvent, type SeededMarket } from "../../../support/seed/markets.ts";
import { aPosition } from "../../../support/seed/traders/positions.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

const EXPLORE = "/api/v1/markets/explore?sort=volume";
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

let fresh: FreshApi;
let wallet: SeededTrader;

beforeEach(async () => {
  fresh = await openFreshApi();
  wallet = await aSeededTrader(fresh.db);
});

/** Builds the list and returns the markets of its first entry. */
async function firstEntryMarkets(): Promise<any[]> {
  await inTransaction(fresh.openPool(), (session) => buildExplore(session));
  const [entry] = (await fresh.api.get(EXPLORE)).body.data;
  return entry.markets ?? [entry.market];
}

/** Makes every trade recorded from this many hours ago on. */
async function recordTradesFor(hours: number) {
  await aTakerTrade(fresh.db, {
    trader: wallet,
    market: await aMarket(fresh.db, { title: null }),
    at: hoursAgo(hours),
  });
}

const priced = (facts: object = {}) =>
  aMarket(fresh.db, facts, [{ lastTradePrice: "0.63" }, { lastTradePrice: "0.37" }]);

describe("change of 24 hours", () => {
  test("the 24-hour change is measured from the last fill 24 hours ago, in percent, truncated toward zero", async () => {
    await recordTradesFor(100);
    const market = await priced();
    await aFill(fresh.db, { trader: wallet, market, price: "0.9", at: hoursAgo(60) });
    await aFill(fresh.db, { trader: wallet, market, price: "0.56", at: hoursAgo(24.5) });
    await aFill(fresh.db, { trader: wallet, market, price: "0.1", at: hoursAgo(23) });
    await aFill(fresh.db, { trader: wallet, market, outcome: 1, price: "0.44", at: hoursAgo(30) });
    const [row] = await firstEntryMarkets();
    // 0.07 / 0.56 is 12.5 %, and 0.07 / 0.44 is 15.909 % down.
    expect(row).toMatchObject({ change_pct_24h: 12.5, no_change_pct_24h: -15.9 });
    // 0.07 of 0.20.
    expect(row.score_components.price_move_signal).toBe(0.35);
  });

  test("the 24-hour change ignores splits and dust", async () => {
    await recordTradesFor(100);
    const market = await priced();
    await aFill(fresh.db, { trader: wallet, market, price: "0.5", at: hoursAgo(40) });
    await aFill(fresh.db, { trader: wallet, market, kind: "split", price: "0.25", at: hoursAgo(30) });
    await aFill(fresh.db, { trader: wallet, market, shares: 0.005, price: "0.3", at: hoursAgo(29) });
    expect((await firstEntryMarkets())[0]).toMatchObject({ change_pct_24h: 26 });
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      "when that fill is older than the complete record",
      async () => {
        await aFill(fresh.db, { trader: wallet, market: await priced(), price: "0.5", at: hoursAgo(30) });
        await recordTradesFor(26);
      },
    ],
    [
      "when there is no fill before then",
      async () => {
        await recordTradesFor(100);
        await aFill(fresh.db, { trader: wallet, market: await priced(), price: "0.5", at: hoursAgo(23) });
      },
    ],
    [
      "when the market is closed",
      async () => {
        await recordTradesFor(100);
        await aFill(fresh.db, {
          trader: wallet,
          market: await priced({ closed: true }),
          price: "0.5",
          at: hoursAgo(30),
        });
      },
    ],
    [
      "when there is no current price",
      async () => {
        await recordTradesFor(100);
        await aFill(fresh.db, { trader: wallet, market: await aMarket(fresh.db), price: "0.5", at: hoursAgo(30) });
      },
    ],
  ])("the 24-hour change and its signal are null %s", async (_, arrange) => {
    await arrange();
    const [row] = await firstEntryMarkets();
    expect(row).toMatchObject({ change_pct_24h: null, no_change_pct_24h: null });
    expect(row.score_components.price_move_signal).toBeNull();
  });
});

describe("price points", () => {
  const closes = (outcomeId: number, days: readonly number[]) =>
    fresh.db.insert(outcomeDays).values(
      days.map((ago) => ({
        outcomeId,
        day: daysAgo(ago),
        open: "0.5",
        high: "0.9",
        low: "0.1",
        close: `0.${ago}2349`,
      })),
    );

  test("price points are the closes of the last seven days with a trade, oldest first, to four decimals", async () => {
    await recordTradesFor(30 * 24);
    const market = await priced();
    await closes(market.outcomes[0].id, [9, 8, 7, 6, 4, 3, 2, 1]);
    await closes(market.outcomes[1].id, [5]);
    const [row] = await firstEntryMarkets();
    const point = (ago: number) => [Date.parse(`${daysAgo(ago)}T00:00:00Z`) / 1000, Number(`0.${ago}234`)];
    expect(row.price_points).toEqual([8, 7, 6, 4, 3, 2, 1].map(point));
    expect(row.no_price_points).toEqual([point(5)]);
  });

  test("price points begin with the complete record and are null without any", async () => {
    const market = await priced();
    await closes(market.outcomes[0].id, [4, 3, 2]);
    await closes(market.outcomes[1].id, [4]);
    await recordTradesFor(3 * 24);
    const [row] = await firstEntryMarkets();
    expect(row.price_points).toHaveLength(2);
    expect(row.no_price_points).toBeNull();
  });
});

describe("score components", () => {
  test("score components are those of the representative market, under both spellings, and add up to the score", async () => {
    await recordTradesFor(100);
    await theTradeFeedWasRead(fresh.db, new Date());
    const eventId = await anEvent(fresh.db);
    const facts = { eventId, liquidityUsd: "99", largeTradeCount: 9, largeTradeLastAt: new Date() };
    await priced({ ...facts, volumeUsd: "999999" });
    await priced({ eventId, volumeUsd: "1" });
    const [first, second] = await firstEntryMarkets();
    // 6/7 of ten million; ln 10 / ln 101; 2/6 of a million; one large trade just now.
    expect(first.score_components).toMatchObject({
      volume_signal: 0.8571,
      large_trade_signal: 0.4989,
      whale_signal: 0.4989,
      liquidity_signal: 0.3333,
      recency_signal: expect.closeTo(1, 2),
      sharp_money_signal: 0,
      smart_money_signal: 0,
      price_move_signal: null,
      missing_price_penalty: 0,
    });
    expect(first.discover_score).toBeCloseTo(0.8571 + 0.4989 + 0.3333 + 1, 1);
    expect(second).toMatchObject({ discover_score: null });
    expect(second).not.toHaveProperty("score_components");
  });

  test("the sharp money signal is null when the trade feed was not read for a day", async () => {
    await recordTradesFor(100);
    await theTradeFeedWasRead(fresh.db, new Date(hoursAgo(25)));
    await priced();
    const [row] = await firstEntryMarkets();
    expect(row.score_components).toMatchObject({ sharp_money_signal: null, smart_money_signal: null });
  });

  test("score components are null where figures are unknown", async () => {
    await aMarket(fresh.db);
    const [row] = await firstEntryMarkets();
    expect(row.score_components).toEqual({
      volume_signal: null,
      large_trade_signal: 0,
      whale_signal: 0,
      liquidity_signal: null,
      recency_signal: null,
      sharp_money_signal: null,
      smart_money_signal: null,
      price_move_signal: null,
      missing_price_penalty: 0.5,
    });
  });
});

describe("lean of graded traders", () => {
  const graded = (facts: object = {}) => aSeededTrader(fresh.db, { grade: "A", completeAt: new Date(), ...facts });
  const quoted = (facts: object = {}, yes = { bestBid: "0.59", bestAsk: "0.61" }) =>
    aMarket(fresh.db, facts, [{ label: "Lakers", ...yes }, { label: "Celtics" }]);
  const hold = (holder: SeededTrader, market: SeededMarket, outcome: 0 | 1, shares: number) =>
    aPosition(fresh.db, { trader: holder, market, outcome, sharesMicro: BigInt(shares * 1e6) });
  const leanOf = async () => {
    const [row] = await firstEntryMarkets();
    return [row.smart_score, row.smart_count, row.smart_label];
  };

  test("the lean is YES's share of graded dollars less its price, with each trader on its net side", async () => {
    const market = await quoted();
    const [yes, no] = [await graded(), await graded({ grade: "S" })];
    await hold(yes, market, 0, 1500);
    await hold(no, market, 1, 600);
    await hold(no, market, 0, 100);
    // 1,500 shares at 0.60 are 900 dollars, 500 at 0.40 are 200: 900 / 1,100 - 0.60 = 0.21818.
    expect(await leanOf()).toEqual([0.2181, 2, "Lakers"]);
  });

  test("the lean names the other side, or none below ten points", async () => {
    const market = await quoted();
    await hold(await graded(), market, 1, 5000);
    expect(await leanOf()).toEqual([-0.6, 1, "Celtics"]);
    await hold(await graded(), market, 0, 4000);
    await fresh.db.execute("update markets set figures_as_of = now()");
    // 2,400 of 4,400 dollars less 0.60.
    expect(await leanOf()).toEqual([-0.0545, 2, null]);
  });

  test("the lean ignores lower grades, incomplete traders and settled positions", async () => {
    const market = await quoted();
    await hold(await graded({ grade: "C" }), market, 0, 9000);
    await hold(await graded({ completeAt: null, isFollowed: true }), market, 0, 9000);
    await hold(await graded({ gaps: ["CONVERSION"] }), market, 0, 9000);
    await aPosition(fresh.db, { trader: await graded(), market, sharesMicro: 9_000_000_000n, settledMicro: 0n });
    expect(await leanOf()).toEqual([null, 0, null]);
  });

  test("the lean is null below 500 dollars or without a price, but counts the traders", async () => {
    const market = await quoted();
    await hold(await graded(), market, 0, 800);
    expect(await leanOf()).toEqual([null, 1, null]);
    await fresh.db.execute("update outcomes set best_bid = null, best_ask = null");
    await fresh.db.execute("update positions set shares_micro = 9000000000");
    await fresh.db.execute("update markets set figures_as_of = now()");
    expect(await leanOf()).toEqual([null, 1, null]);
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      "while no trader is graded",
      async () => hold(await aSeededTrader(fresh.db, { completeAt: new Date() }), await quoted(), 0, 9000),
    ],
    ["of a closed market", async () => hold(await graded(), await quoted({ closed: true }), 0, 9000)],
  ])("the lean is unknown %s", async (_, arrange) => {
    await arrange();
    expect(await leanOf()).toEqual([null, null, null]);
  });
});
