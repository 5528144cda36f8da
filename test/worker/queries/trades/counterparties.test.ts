import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { markets } from "../../../../src/db/schema.ts";
import { findCounterparties } from "../../../../src/queries/trades/counterparties.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aFill, aTakerTrade } from "../../../support/seed/fills.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const TX = 700_001;
const HYDRATED = { hydratedAt: new Date("2026-11-20T00:00:00Z"), negRisk: true };

let db: Database;
beforeEach(async () => {
  ({ db } = await createTestDatabase());
});

test("the makers of a trade are the other fills of its transaction in its market", async () => {
  const market = await aMarket(db, HYDRATED);
  const [taker, seller, minter] = [
    await aSeededTrader(db),
    await aSeededTrader(db, { username: "Ada", grade: "A" }),
    await aSeededTrader(db),
  ];
  const id = await aTakerTrade(db, { trader: taker, market, shares: 20_000, price: "0.6", tx: TX });
  await aFill(db, { trader: seller, market, side: "SELL", shares: 15_000, price: "0.6", tx: TX });
  await aFill(db, { trader: minter, market, outcome: 1, shares: 5_000, price: "0.4", tx: TX });
  await aFill(db, { trader: minter, market, kind: "split", shares: 5_000, tx: TX });
  await aFill(db, { trader: minter, market: await aMarket(db), shares: 5_000, tx: TX });
  await aFill(db, { trader: minter, market, side: "SELL", shares: 5_000 });

  const counterparties = await findCounterparties(db, id);
  expect(counterparties).toMatchObject({
    transactionHash: `0x${TX.toString(16).padStart(64, "0")}`,
    ordersMatched: null,
  });
  expect(counterparties?.match).toMatchObject({
    status: "available",
    taker: { wallet: taker.address, filledUsdMicro: 12_000_000_000n },
    makers: [
      {
        wallet: seller.address,
        filledUsdMicro: 9_000_000_000n,
        sharePct: "75.000000",
        matches: [{ matchType: "COMPLEMENTARY" }],
      },
      {
        wallet: minter.address,
        filledUsdMicro: 2_000_000_000n,
        sharePct: "25.000000",
        matches: [{ matchType: "MINT" }],
      },
    ],
  });
  expect(counterparties?.participants.get(seller.address)).toMatchObject({
    trader_id: seller.id,
    username: "Ada",
    grade: "A",
    last_at: null,
  });
  expect(counterparties?.participants.size).toBe(3);
});

test("makers are unavailable until all of them are recorded", async () => {
  const market = await aMarket(db, HYDRATED);
  const [taker, maker] = [await aSeededTrader(db), await aSeededTrader(db)];
  const id = await aTakerTrade(db, { trader: taker, market, shares: 20_000, tx: TX });
  const match = async () => (await findCounterparties(db, id))?.match;
  expect(await match()).toEqual({ status: "unavailable", reason: "no_maker_fills" });
  await aFill(db, { trader: maker, market, side: "SELL", shares: 19_999.999999, tx: TX });
  expect(await match()).toEqual({ status: "unavailable", reason: "missing_maker_fills" });
  await aFill(db, { trader: maker, market, side: "SELL", shares: 0.000001, tx: TX });
  expect(await match()).toMatchObject({ status: "available", makers: [{ makerFillCount: 2 }] });
});

test("the other token is the opposite outcome only in a described market of two outcomes", async () => {
  const market = await aMarket(db, HYDRATED);
  const id = await aTakerTrade(db, { trader: await aSeededTrader(db), market, shares: 20_000, tx: TX });
  await aFill(db, { trader: await aSeededTrader(db), market, outcome: 1, shares: 20_000, tx: TX });
  expect((await findCounterparties(db, id))?.match.status).toBe("available");
  await db.update(markets).set({ hydratedAt: null }).where(eq(markets.id, market.id));
  expect((await findCounterparties(db, id))?.match).toEqual({ status: "unavailable", reason: "unmatchable_fill" });
});

test("an unknown trade has null counterparties", async () => {
  expect(await findCounterparties(db, 999)).toBeNull();
});
