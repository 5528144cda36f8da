import { beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "../../../src/db/client.ts";
import { applyMarkets } from "../../../src/ingest/apply-markets.ts";
import { applyResolutions } from "../../../src/ingest/apply-resolutions.ts";
import type { ProviderTrade } from "../../../src/ports/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { openIngest } from "../../support/ingest/ingest-under-test.ts";
import { aProviderMarket, aResolution } from "../../support/ingest/markets.ts";
import { aTrade, asActivity, conditionOf, FIRST_COMBINATION, pageOf, walletOf } from "../../support/ingest/trades.ts";

/*
 * What the totals of a wallet leave out: proceeds of shares that it was never seen to acquire, and the results of combinations of markets.
 */
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

const SECOND = 1_760_000_000;
const shares = (n: number) => BigInt(n * 1_000_000);

async function aWallet() {
  const pool = database.openPool();
  const { apply, applyActivity, state } = await openIngest(pool);
  await inTransaction(pool, (session) =>
    applyMarkets(
      session,
      [1, 2, 3].map((market) => aProviderMarket(market)),
      [],
      new Date(0),
    ),
  );
  return {
    tell: (...trades: ProviderTrade[]) => apply("all", pageOf(trades)),
    tellFees: (...trades: ProviderTrade[]) => applyActivity(walletOf(1), pageOf(trades.map(asActivity))),
    resolve: (market: number, firstPpm: number) =>
      inTransaction(pool, (session) => applyResolutions(session, [conditionOf(market)], [aResolution(market, firstPpm)], [], new Date())),
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

describe("100 shares that were never bought, sold for 60 dollars", () => {
  // Ordinary trades beside it: 10 bought for 4 and sold for 7.
  const ORDINARY = [
    aTrade({ n: 1, market: 1, price: "0.4", atSeconds: SECOND }),
    aTrade({ n: 2, market: 1, side: "SELL", price: "0.7", atSeconds: SECOND + 1 }),
  ];
  const UNMATCHED = aTrade({ n: 3, market: 2, side: "SELL", sharesMicro: shares(100), price: "0.6", atSeconds: SECOND + 10 });
  const LATE_BUY = aTrade({ n: 4, market: 2, sharesMicro: shares(100), price: "0.25", atSeconds: SECOND + 5 });

  test("leave 60 dollars of one position out of the profit, and nothing of the volume", async () => {
    const wallet = await aWallet();
    await wallet.tell(...ORDINARY, UNMATCHED);
    expect(await wallet.totals()).toMatchObject({
      ...{ realized_micro: "3000000", volume_micro: "71000000", markets_traded: 2 },
      ...{ unmatched_positions: 1, unmatched_usd_micro: "60000000", combination_markets: 0 },
    });
  });

  test("are cured by a purchase that arrives late, in whatever order it is told", async () => {
    const cured = { realized_micro: "38000000", unmatched_positions: 0, unmatched_usd_micro: "0" };
    for (const order of [
      [...ORDINARY, UNMATCHED, LATE_BUY],
      [LATE_BUY, UNMATCHED, ...ORDINARY],
      [UNMATCHED, LATE_BUY, ...ORDINARY],
    ]) {
      const wallet = await aWallet();
      for (const trade of order) await wallet.tell(trade);
      expect(await wallet.totals()).toMatchObject(cured);
    }
  });

  test("are not cured by a purchase after the sale", async () => {
    const wallet = await aWallet();
    await wallet.tell({ ...LATE_BUY, tradedAt: new Date((SECOND + 20) * 1000) }, UNMATCHED);
    expect(await wallet.totals()).toMatchObject({ realized_micro: "0", unmatched_positions: 1, unmatched_usd_micro: "60000000" });
  });

  test("of which 30 were bought leave out what the other 70 brought", async () => {
    const wallet = await aWallet();
    await wallet.tell(UNMATCHED, { ...LATE_BUY, sharesMicro: shares(30), usdMicro: 7_500_000n });
    // 30 of 100 are 18 of the 60 dollars, less the 7.50 that they cost.
    expect(await wallet.totals()).toMatchObject({ realized_micro: "10500000", unmatched_positions: 1, unmatched_usd_micro: "42000000" });
  });

  test("make their market neither won nor lost, whenever it resolves", async () => {
    const fee = { ...UNMATCHED, feeMicro: 1_000_000n };
    for (const isResolvedFirst of [true, false]) {
      const wallet = await aWallet();
      if (isResolvedFirst) await wallet.tell({ ...LATE_BUY, tradedAt: new Date((SECOND + 20) * 1000) });
      if (isResolvedFirst) await wallet.resolve(2, 1_000_000);
      await wallet.tellFees(fee);
      if (!isResolvedFirst) await wallet.resolve(2, 1_000_000);
      expect(await wallet.totals()).toMatchObject({ markets_resolved: 1, markets_won: 0, markets_decided: 0 });
    }
  });
});

describe("a combination beside ordinary markets", () => {
  // Bought for 10 and half of it sold for 1: by average cost a loss of 4, which is none as long as the rest may pay.
  const COMBINATION = [
    aTrade({ n: 1, market: FIRST_COMBINATION, sharesMicro: shares(100), price: "0.1", atSeconds: SECOND }),
    aTrade({ n: 2, market: FIRST_COMBINATION, side: "SELL", sharesMicro: shares(50), price: "0.02", atSeconds: SECOND + 1 }),
  ];
  const ORDINARY = [1, 2, 3].map((market) => aTrade({ n: 10 + market, market, price: "0.5", atSeconds: SECOND + market }));

  test("counts in volume, trades and markets, and in no profit, fee or unmatched sale", async () => {
    const wallet = await aWallet();
    const unmatched = aTrade({ n: 3, market: FIRST_COMBINATION, outcome: 1, side: "SELL", sharesMicro: shares(10), price: "0.9" });
    await wallet.tell(...ORDINARY, ...COMBINATION, unmatched);
    await wallet.tellFees(...COMBINATION.map((trade) => ({ ...trade, feeMicro: 250_000n })));
    await wallet.resolve(1, 1_000_000);
    // 10 shares at 0.50 in three markets, and 10 + 1 + 9 in the combination; the first market pays 10 for the 5.
    expect(await wallet.totals()).toMatchObject({
      ...{ realized_micro: "0", settled_micro: "5000000", fees_micro: "0", volume_micro: "35000000", entry_count: 6 },
      ...{ markets_traded: 4, markets_resolved: 1, markets_won: 1, markets_decided: 1 },
      ...{ unmatched_positions: 0, unmatched_usd_micro: "0", combination_markets: 1, combination_volume_micro: "20000000" },
    });
  });

  test("has a day of volume and no result, also when a purchase arrives late", async () => {
    for (const trades of [COMBINATION, COMBINATION.toReversed()]) {
      const wallet = await aWallet();
      for (const trade of trades) await wallet.tell(trade);
      expect(await wallet.days()).toEqual([{ realized_micro: "0", fees_micro: "0", volume_micro: "11000000", entry_count: 2 }]);
    }
  });
});
