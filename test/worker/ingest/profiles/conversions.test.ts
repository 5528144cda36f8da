import { expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { loadDays } from "../../../../src/ingest/profiles/load-days.ts";
import { loadHistories } from "../../../../src/ingest/profiles/load-histories.ts";
import { loadMarkets } from "../../../../src/ingest/profiles/load-markets.ts";
import type { ProviderActivity } from "../../../../src/ports/provider.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { follow, sync } from "../../../support/ingest/followed-wallet.ts";
import { aConversion, negRiskMarkets, questionsOf } from "../../../support/ingest/neg-risk.ts";
import { aTrade, asActivity, conditionOf, pageOf, walletOf } from "../../../support/ingest/trades.ts";
import { aWrittenProvider } from "../../../support/ingest/written-provider.ts";

const NOON = new Date("2026-11-20T12:00:00Z");
const FIVE = [1, 2, 3, 4, 5];
const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));
const day = (number: number) => Date.parse(`2026-11-0${number}T12:00:00Z`) / 1000;
const buysNo = (n: number, market: number, on: number, shares: number, price: string) =>
  asActivity({ ...aTrade({ n, market, outcome: 1, sharesMicro: usd(shares), price, atSeconds: day(on) }), feeMicro: 0n });

async function historyOf(rows: readonly ProviderActivity[]) {
  const pool = (await createTestDatabase()).openPool();
  await follow(pool, 1);
  const activity = { [walletOf(1)]: [pageOf(rows)] };
  const provider = {
    takers: [],
    all: [],
    markets: negRiskMarkets(51, FIVE),
    resolutions: [],
    questions: questionsOf({ 51: FIVE }),
    activity,
  };
  await sync(pool, aWrittenProvider(provider), 1, NOON);
  return inTransaction(pool, async (session) => {
    const id = Number((await session.query("select trader_id as id from wallet_syncs where gaps = '{}'")).rows[0]?.id);
    const days = (await loadDays(session, [id])).get(id) ?? [];
    const markets = (await loadMarkets(session, [id], "2026-11-20")).get(id) ?? [];
    const { fills, activeDays } = (await loadHistories(session, [id], "2026-11-20")).get(id) ?? {};
    return { days: days.map((row) => [row.day.slice(-2), row.pnlMicro, row.capitalMicro]), markets, fills, activeDays };
  });
}

/** 9 NO at 0.80, 6 NO at 0.70; 5 of each converted: 4.00 each for what cost 4.00 and 3.50, and YES of three others at 1.00 each. */
const HISTORY = [
  buysNo(1, 1, 1, 9, "0.8"),
  buysNo(2, 2, 1, 6, "0.7"),
  ...aConversion({ n: 3, markets: [1, 2], sharesMicro: usd(5), atSeconds: day(2) }),
  buysNo(4, 3, 3, 10, "0.5"),
];

test("what a conversion gives is capital paid in at the uniform price, what it takes leaves at its cost", async () => {
  const { days } = await historyOf(HISTORY);
  expect(days).toEqual([
    ["01", 0n, usd(11.4)],
    ["02", usd(0.5), usd(11.4 + 3)],
    // 3.20 and 0.70 of NO, 3.00 of YES, and 5.00 paid in.
    ["03", 0n, usd(3.9 + 3 + 5)],
  ]);
});

test("NO shares that a conversion takes and nobody saw come have no cost and no result", async () => {
  const { days } = await historyOf([
    buysNo(1, 1, 1, 9, "0.8"),
    ...aConversion({ n: 3, markets: [1, 2], sharesMicro: usd(5), atSeconds: day(2) }),
    buysNo(4, 3, 3, 10, "0.5"),
  ]);
  expect(days.map(([, , capital]) => capital)).toEqual([usd(7.2), usd(7.2 + 3), usd(3.2 + 3 + 5)]);
});

test("a market that a conversion gave shares of has its cost, and no price that the wallet paid; it is not traded on both sides by that", async () => {
  const { markets } = await historyOf(HISTORY);
  const facts = markets.map(({ conditionId, costMicro, entryPrice, twoSided }) => [conditionId, costMicro, entryPrice, twoSided]);
  expect(facts).toEqual([
    [conditionOf(1), usd(7.2), 0.8, false],
    [conditionOf(2), usd(4.2), 0.7, false],
    [conditionOf(3), usd(1 + 5), null, false],
    [conditionOf(4), usd(1), null, false],
    [conditionOf(5), usd(1), null, false],
  ]);
});

test("a conversion is no fill and makes no day active", async () => {
  expect(await historyOf(HISTORY)).toMatchObject({ fills: 3, activeDays: 2 });
});
