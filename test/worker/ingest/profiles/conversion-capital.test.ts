import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { loadTraderDays } from "../../../../src/ingest/profiles/load-trader-days.ts";
import { loadHistories } from "../../../../src/ingest/profiles/load-histories.ts";
import type { ProviderActivity } from "../../../../src/platform/provider.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { followTrader, syncFollowedTrader } from "../../../support/ingest/worlds/followed-trader.ts";
import { aConversion, negRiskMarkets, questionsOf } from "../../../support/ingest/worlds/neg-risk.ts";
import { aTrade, asActivity, conditionOf, pageOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import { aPagedProvider } from "../../../support/ingest/provider/paged-provider.ts";

const NOON = new Date("2026-11-20T12:00:00Z");
const FIVE = [1, 2, 3, 4, 5];
const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));
const day = (number: number) => Date.parse(`2026-11-0${number}T12:00:00Z`) / 1000;
const buysNo = (n: number, market: number, on: number, shares: number, price: string) =>
  asActivity({
    ...aTrade({ n, market, outcome: 1, sharesMicro: usd(shares), price, atSeconds: day(on) }),
    feeMicro: 0n,
  });

async function historyOf(rows: readonly ProviderActivity[]) {
  const pool = (await createTestDatabase()).openPool();
  await followTrader(pool, 1);
  const activity = { [walletOf(1)]: [pageOf(rows)] };
  const provider = {
    takers: [],
    all: [],
    markets: negRiskMarkets(51, FIVE),
    resolutions: [],
    questions: questionsOf({ 51: FIVE }),
    activity,
  };
  await syncFollowedTrader(pool, aPagedProvider(provider), 1, NOON);
  return inTransaction(pool, async (session) => {
    const { rows: synced } = await session.execute(sql`select trader_id as id from trader_syncs where gaps = '{}'`);
    const id = Number(synced[0]?.["id"]);
    const days = (await loadTraderDays(session, [id])).get(id) ?? [];
    const { markets = [], fills, activeDays } = (await loadHistories(session, [id], "2026-11-20")).get(id) ?? {};
    return { days: days.map((row) => [row.day.slice(-2), row.pnlMicro, row.capitalMicro]), markets, fills, activeDays };
  });
}

/**
 * 9 NO at 0.80 and 6 NO at 0.70. A conversion of 5 of each gives 4.00 each for a cost of 4.00 and 3.50, and
 * YES of three other questions at 1.00 each.
 */
const HISTORY = [
  buysNo(1, 1, 1, 9, "0.8"),
  buysNo(2, 2, 1, 6, "0.7"),
  ...aConversion({ n: 3, markets: [1, 2], sharesMicro: usd(5), atSeconds: day(2) }),
  buysNo(4, 3, 3, 10, "0.5"),
];

test("a conversion adds capital at the uniform price and removes the cost of the converted shares", async () => {
  const { days } = await historyOf(HISTORY);
  expect(days).toEqual([
    ["01", 0n, usd(11.4)],
    ["02", usd(0.5), usd(11.4 + 3)],
    // Opens with 3.20 and 0.70 of NO and 3.00 of YES; 5.00 paid in.
    ["03", 0n, usd(3.9 + 3 + 5)],
  ]);
});

test("converted NO shares that were never bought have no cost and no profit", async () => {
  const { days } = await historyOf([
    buysNo(1, 1, 1, 9, "0.8"),
    ...aConversion({ n: 3, markets: [1, 2], sharesMicro: usd(5), atSeconds: day(2) }),
    buysNo(4, 3, 3, 10, "0.5"),
  ]);
  expect(days.map(([, , capital]) => capital)).toEqual([usd(7.2), usd(7.2 + 3), usd(3.2 + 3 + 5)]);
});

test("a market entered by a conversion has a cost but no entry price and is not two-sided", async () => {
  const { markets } = await historyOf(HISTORY);
  const facts = markets.map(({ conditionId, costMicro, entryPrice, isTwoSided }) => [
    conditionId,
    costMicro,
    entryPrice,
    isTwoSided,
  ]);
  expect(facts).toEqual([
    [conditionOf(1), usd(7.2), 0.8, false],
    [conditionOf(2), usd(4.2), 0.7, false],
    [conditionOf(3), usd(1 + 5), null, false],
    [conditionOf(4), usd(1), null, false],
    [conditionOf(5), usd(1), null, false],
  ]);
});

test("a conversion is not a fill and makes no day active", async () => {
  expect(await historyOf(HISTORY)).toMatchObject({ fills: 3, activeDays: 2 });
});
