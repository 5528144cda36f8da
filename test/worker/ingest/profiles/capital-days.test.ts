import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import { loadTraderDays } from "../../../../src/ingest/profiles/load-trader-days.ts";
import { loadHistories } from "../../../../src/ingest/profiles/load-histories.ts";
import type { ProviderActivity, ProviderResolution } from "../../../../src/platform/provider.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import {
  anActivityProvider,
  followTrader,
  syncFollowedTrader,
} from "../../../support/ingest/worlds/followed-trader.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/provider/provider-markets.ts";
import {
  aTrade,
  anActivity,
  asActivity,
  conditionOf,
  pageOf,
  type TradeFacts,
} from "../../../support/ingest/provider/provider-trades.ts";

const NOON = new Date("2026-11-20T12:00:00Z");
const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));
/** Noon of a day in November 2026, in seconds. */
const day = (number: number) => Date.parse(`2026-11-${String(number).padStart(2, "0")}T12:00:00Z`) / 1000;
const shares = (count: number) => BigInt(count) * 1_000_000n;
let n = 0;
const trade = (facts: Partial<TradeFacts>) => asActivity({ ...aTrade({ n: ++n, ...facts }), feeMicro: 0n });
const buy = (market: number, on: number, count: number, price: string, facts: Partial<TradeFacts> = {}) =>
  trade({ market, atSeconds: day(on), sharesMicro: shares(count), price, ...facts });
const sell = (market: number, on: number, count: number, price: string, facts: Partial<TradeFacts> = {}) =>
  buy(market, on, count, price, { side: "SELL", ...facts });

/** Days and markets of a trader with this activity and these resolutions. */
async function historyOf(activity: readonly ProviderActivity[], resolutions: readonly ProviderResolution[] = []) {
  const { openPool } = await createTestDatabase();
  const pool = openPool();
  const markets = [1, 2].map((market) => aProviderMarket(market));
  await followTrader(pool, 1);
  await syncFollowedTrader(pool, anActivityProvider(1, [pageOf(activity)], markets), 1, NOON);
  await applyMarkets(pool, markets, [], NOON);
  return inTransaction(pool, async (session) => {
    await applyResolutions(
      session,
      resolutions.map((row) => row.conditionId),
      resolutions,
      [],
      NOON,
    );
    const { rows } = await session.execute(sql`select trader_id as id from trader_syncs`);
    const id = Number(rows[0]?.id);
    const days = (await loadTraderDays(session, [id])).get(id) ?? [];
    const marketHistories = (await loadHistories(session, [id], "2026-11-20")).get(id)?.markets ?? [];
    return {
      days: days.map(({ day: date, pnlMicro, capitalMicro }) => [date.slice(-2), pnlMicro, capitalMicro]),
      marketHistories,
    };
  });
}

test("capital of a day is the opening cost basis plus all dollars paid in during the day", async () => {
  const { days } = await historyOf([
    // 50.00 paid in. Then 20.00 more, and half of the 140 shares (cost 35.00) sell for 42.00: profit 7.00.
    buy(1, 1, 100, "0.5"),
    buy(1, 2, 40, "0.5"),
    sell(1, 2, 70, "0.6", { atSeconds: day(2) + 60 }),
    // Opens with 35.00, pays nothing in and sells all for 35.00: profit 0. The day after, 10.00 paid in.
    sell(1, 3, 70, "0.5"),
    buy(2, 4, 20, "0.5"),
  ]);
  expect(days).toEqual([
    ["01", 0n, usd(50)],
    ["02", usd(7), usd(70)],
    ["03", 0n, usd(35)],
    ["04", 0n, usd(10)],
  ]);
});

test("capital that turns over twice in a day counts twice", async () => {
  const { days } = await historyOf([
    buy(1, 1, 100, "0.5"),
    sell(1, 1, 100, "0.6", { atSeconds: day(1) + 60 }),
    buy(1, 1, 100, "0.5", { atSeconds: day(1) + 120 }),
  ]);
  expect(days).toEqual([["01", usd(10), usd(100)]]);
});

test("the cost basis counts as capital up to the day its market settles", async () => {
  const { days, marketHistories } = await historyOf(
    [buy(1, 1, 100, "0.4"), buy(2, 5, 10, "0.5")],
    [aResolution(1, 1_000_000, new Date("2026-11-03T01:00:00Z"))],
  );
  expect(days).toEqual([
    ["01", 0n, usd(40)],
    ["03", usd(60), usd(40)],
    ["05", 0n, usd(5)],
  ]);
  expect(marketHistories.map(({ settledAtMs }) => settledAtMs)).toEqual([Date.parse("2026-11-03T01:00:00Z"), null]);
});

test("shares bought after their market settled count as capital only on the day of the buy", async () => {
  const { days } = await historyOf(
    [buy(1, 1, 100, "0.4"), buy(1, 4, 100, "0.9"), buy(2, 5, 10, "0.5")],
    [aResolution(1, 1_000_000, new Date("2026-11-03T01:00:00Z"))],
  );
  // Both payouts count on the third: 60.00 and 10.00.
  expect(days).toEqual([
    ["01", 0n, usd(40)],
    ["03", usd(70), usd(40)],
    ["04", 0n, usd(130)],
    ["05", 0n, usd(5)],
  ]);
});

test("a split adds its dollars to the capital and a merge removes the cost of its shares", async () => {
  const { days, marketHistories } = await historyOf([
    // 100.00 become 100 shares of each outcome at 0.50; 40 pairs merge for 40.00.
    anActivity("SPLIT", { n: 900, market: 1, sharesMicro: shares(100), usdMicro: shares(100), atSeconds: day(1) }),
    anActivity("MERGE", { n: 901, market: 1, sharesMicro: shares(40), usdMicro: shares(40), atSeconds: day(2) }),
    buy(2, 3, 20, "0.5"),
  ]);
  expect(days).toEqual([
    ["01", 0n, usd(100)],
    ["02", 0n, usd(100)],
    ["03", 0n, usd(70)],
  ]);
  expect(marketHistories[0]).toMatchObject({ costMicro: usd(100), entryPrice: 0.5, isTwoSided: true });
  expect(marketHistories[1]).toMatchObject({ costMicro: usd(10), entryPrice: 0.5, isTwoSided: false });
});

test("a sale of more than the open shares removes only their cost, however often it happens", async () => {
  const { days, marketHistories } = await historyOf([
    // First 30 of unknown cost. Then 100 for 40.00, and a sale of 150: the 100 return 60.00 (profit 20.00)
    // and their cost is removed; the other 50 have no profit.
    sell(1, 1, 30, "0.5"),
    buy(1, 2, 100, "0.4"),
    sell(1, 2, 150, "0.6", { atSeconds: day(2) + 60 }),
    // 10 for 5.00, of which 4 (cost 2.00) sell for 3.00; then a sale of 7, of which 6 (cost 3.00) have a
    // profit of 0.60.
    buy(1, 3, 10, "0.5"),
    sell(1, 3, 4, "0.75", { atSeconds: day(3) + 60 }),
    sell(1, 4, 7, "0.6"),
    buy(1, 5, 2, "0.5"),
  ]);
  expect(days).toEqual([
    ["01", 0n, null],
    ["02", usd(20), usd(40)],
    ["03", usd(1), usd(5)],
    ["04", usd(0.6), usd(3)],
    ["05", 0n, usd(1)],
  ]);
  // The cost of the oversold shares is unknown, and so is the average price.
  expect(marketHistories[0]).toMatchObject({ costMicro: usd(46), entryPrice: null, payout: null });
});

test("sales of uneven micro-shares remove the same cost as the ledger fold, to the micro-dollar", async () => {
  const { days } = await historyOf([
    buy(1, 1, 0, "0.333333", { sharesMicro: 1_000_001n }),
    sell(1, 2, 0, "0.5", { sharesMicro: 333_333n }),
    sell(1, 3, 0, "0.7", { sharesMicro: 777_777n }),
    buy(2, 4, 1, "0.5"),
  ]);
  // 333,333 paid; 333,333 * 333,333 / 1,000,001 = 111,110.78 removed, 166,667 received (166,666.5): profit
  // 55,556. 222,222 remain. Of 544,444 for 777,777 shares 666,668 count: 466,667.9, less 222,222.
  expect(days).toEqual([
    ["01", 0n, 333_333n],
    ["02", 55_556n, 333_333n],
    ["03", 244_446n, 222_222n],
    ["04", 0n, usd(0.5)],
  ]);
});

test("both outcomes of a market form one market with one cost, profit, entry price and payout", async () => {
  const { marketHistories } = await historyOf(
    // 100 at 0.30 that pay, 60 at 0.50 that do not: 60.00 for 160 shares, 100.00 paid out.
    [buy(1, 1, 100, "0.3"), buy(1, 1, 60, "0.5", { outcome: 1 })],
    [aResolution(1, 1_000_000, new Date("2026-11-03T01:00:00Z"))],
  );
  expect(marketHistories).toEqual([
    {
      conditionId: conditionOf(1),
      category: null,
      game: null,
      costMicro: usd(60),
      pnlMicro: usd(40),
      settledAtMs: Date.parse("2026-11-03T01:00:00Z"),
      entryPrice: 0.375,
      payout: 0.625,
      isTwoSided: true,
    },
  ]);
});

test("a market that settles after the last counted day is not settled", async () => {
  const { marketHistories } = await historyOf(
    [buy(1, 1, 100, "0.3")],
    [aResolution(1, 1_000_000, new Date("2026-11-21T01:00:00Z"))],
  );
  expect(marketHistories[0]).toMatchObject({ settledAtMs: null, payout: null, entryPrice: 0.3 });
});

test("prices of 0 and 1 and a size of one micro-share are valid", async () => {
  const { days, marketHistories } = await historyOf([
    buy(1, 1, 0, "1", { sharesMicro: 1n }),
    buy(2, 1, 10, "0"),
    sell(2, 2, 10, "0"),
    sell(1, 2, 0, "0", { sharesMicro: 1n }),
  ]);
  expect(days).toEqual([
    ["01", 0n, 1n],
    ["02", -1n, 1n],
  ]);
  expect(marketHistories.map(({ entryPrice }) => entryPrice)).toEqual([1, 0]);
});
