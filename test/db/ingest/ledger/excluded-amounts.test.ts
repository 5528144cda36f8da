import { beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import type { ProviderTrade } from "../../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { openIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/provider/provider-markets.ts";
import {
  aTrade,
  asActivity,
  conditionOf,
  FIRST_COMBINATION,
  pageOf,
  walletOf,
} from "../../../support/ingest/provider/provider-trades.ts";

/*
 * Amounts that a trader's totals leave out: proceeds of shares without a recorded buy, and the results of
 * combinations.
 */
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

const SECOND = 1_760_000_000;
const shares = (n: number) => BigInt(n * 1_000_000);

async function aTrader() {
  const pool = database.openPool();
  const { apply, applyActivity, state } = await openIngest(pool);
  await applyMarkets(
    pool,
    [1, 2, 3].map((market) => aProviderMarket(market)),
    [],
    new Date(0),
  );
  return {
    apply: (...trades: ProviderTrade[]) => apply("all", pageOf(trades)),
    applyFees: (...trades: ProviderTrade[]) => applyActivity(walletOf(1), pageOf(trades.map(asActivity))),
    resolve: (market: number, firstPpm: number) =>
      inTransaction(pool, (session) =>
        applyResolutions(session, [conditionOf(market)], [aResolution(market, firstPpm)], [], new Date()),
      ),
    async totals() {
      const [row] = (await state()).totals;
      return row;
    },
    async days() {
      return (await state()).days.map(({ realized_micro, fees_micro, volume_micro, entry_count }) => ({
        ...{ realized_micro, fees_micro, volume_micro, entry_count },
      }));
    },
  };
}

describe("100 shares without a recorded buy, sold for 60 dollars", () => {
  // Ordinary trades beside it: 10 shares bought for 4 and sold for 7.
  const ORDINARY = [
    aTrade({ n: 1, market: 1, price: "0.4", atSeconds: SECOND }),
    aTrade({ n: 2, market: 1, side: "SELL", price: "0.7", atSeconds: SECOND + 1 }),
  ];
  const UNMATCHED = aTrade({
    n: 3,
    market: 2,
    side: "SELL",
    sharesMicro: shares(100),
    price: "0.6",
    atSeconds: SECOND + 10,
  });
  const LATE_BUY = aTrade({ n: 4, market: 2, sharesMicro: shares(100), price: "0.25", atSeconds: SECOND + 5 });

  test("an unmatched sale is left out of the profit but counts in the volume", async () => {
    const trader = await aTrader();
    await trader.apply(...ORDINARY, UNMATCHED);
    expect(await trader.totals()).toMatchObject({
      ...{ realized_micro: "3000000", volume_micro: "71000000", markets_traded: 2 },
      ...{ unmatched_positions: 1, unmatched_usd_micro: "60000000", combination_markets: 0 },
    });
  });

  test("an unmatched sale is matched by a buy that arrives late, in any order of arrival", async () => {
    const cured = { realized_micro: "38000000", unmatched_positions: 0, unmatched_usd_micro: "0" };
    for (const order of [
      [...ORDINARY, UNMATCHED, LATE_BUY],
      [LATE_BUY, UNMATCHED, ...ORDINARY],
      [UNMATCHED, LATE_BUY, ...ORDINARY],
    ]) {
      const trader = await aTrader();
      for (const trade of order) await trader.apply(trade);
      expect(await trader.totals()).toMatchObject(cured);
    }
  });

  test("an unmatched sale is not matched by a later buy", async () => {
    const trader = await aTrader();
    await trader.apply({ ...LATE_BUY, tradedAt: new Date((SECOND + 20) * 1000) }, UNMATCHED);
    expect(await trader.totals()).toMatchObject({
      realized_micro: "0",
      unmatched_positions: 1,
      unmatched_usd_micro: "60000000",
    });
  });

  test("a partly matched sale only leaves out the proceeds of its unmatched shares", async () => {
    const trader = await aTrader();
    await trader.apply(UNMATCHED, { ...LATE_BUY, sharesMicro: shares(30), usdMicro: 7_500_000n });
    // 30 of 100 shares bring 18 of the 60 dollars, minus their cost of 7.50.
    expect(await trader.totals()).toMatchObject({
      realized_micro: "10500000",
      unmatched_positions: 1,
      unmatched_usd_micro: "42000000",
    });
  });

  test("a market with an unmatched sale is neither won nor lost, whenever it resolves", async () => {
    const fee = { ...UNMATCHED, feeMicro: 1_000_000n };
    for (const isResolvedFirst of [true, false]) {
      const trader = await aTrader();
      if (isResolvedFirst) await trader.apply({ ...LATE_BUY, tradedAt: new Date((SECOND + 20) * 1000) });
      if (isResolvedFirst) await trader.resolve(2, 1_000_000);
      await trader.applyFees(fee);
      if (!isResolvedFirst) await trader.resolve(2, 1_000_000);
      expect(await trader.totals()).toMatchObject({ markets_resolved: 1, markets_won: 0, markets_decided: 0 });
    }
  });
});

describe("combinations beside ordinary markets", () => {
  // Bought for 10, half of it sold for 1: by average cost a loss of 4, which is not final while the rest may
  // still pay.
  const COMBINATION = [
    aTrade({ n: 1, market: FIRST_COMBINATION, sharesMicro: shares(100), price: "0.1", atSeconds: SECOND }),
    aTrade({
      n: 2,
      market: FIRST_COMBINATION,
      side: "SELL",
      sharesMicro: shares(50),
      price: "0.02",
      atSeconds: SECOND + 1,
    }),
  ];
  const ORDINARY = [1, 2, 3].map((market) =>
    aTrade({ n: 10 + market, market, price: "0.5", atSeconds: SECOND + market }),
  );

  test("a combination counts in volume, trades and markets, but in no profit, fee or unmatched amount", async () => {
    const trader = await aTrader();
    const unmatched = aTrade({
      n: 3,
      market: FIRST_COMBINATION,
      outcome: 1,
      side: "SELL",
      sharesMicro: shares(10),
      price: "0.9",
    });
    await trader.apply(...ORDINARY, ...COMBINATION, unmatched);
    await trader.applyFees(...COMBINATION.map((trade) => ({ ...trade, feeMicro: 250_000n })));
    await trader.resolve(1, 1_000_000);
    // 10 shares at 0.50 in three markets, and 10 + 1 + 9 dollars in the combination; the first market pays 10
    // for the cost of 5.
    expect(await trader.totals()).toMatchObject({
      ...{ realized_micro: "0", settled_micro: "5000000", fees_micro: "0", volume_micro: "35000000", entry_count: 6 },
      ...{ markets_traded: 4, markets_resolved: 1, markets_won: 1, markets_decided: 1 },
      ...{
        unmatched_positions: 0,
        unmatched_usd_micro: "0",
        combination_markets: 1,
        combination_volume_micro: "20000000",
      },
    });
  });

  test("a combination adds volume but no result to a day, even when a buy arrives late", async () => {
    for (const trades of [COMBINATION, COMBINATION.toReversed()]) {
      const trader = await aTrader();
      for (const trade of trades) await trader.apply(trade);
      expect(await trader.days()).toEqual([
        { realized_micro: "0", fees_micro: "0", volume_micro: "11000000", entry_count: 2 },
      ]);
    }
  });
});
