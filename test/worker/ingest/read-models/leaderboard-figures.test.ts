import { describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { traders } from "../../../../src/db/schema.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import { buildLeaderboard } from "../../../../src/ingest/read-models/build-leaderboard.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { boardOf } from "../../../support/ingest/worlds/built-lists.ts";
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
} from "../../../support/ingest/provider/provider-trades.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aPosition } from "../../../support/seed/traders/positions.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const COMPLETE = { completeAt: new Date("2026-11-20T12:00:00Z"), grade: "A" };
const RESOLVED = { payoutsPpm: [1_000_000, 0] };
const usd = (dollars: number) => BigInt(dollars * 1_000_000);

describe("leaderboard figures of one trader", () => {
  const politics = { n: 1, market: 1 };
  const crypto = { n: 3, market: 2, sharesMicro: 10_000_000n };
  const activity = pageOf([
    // 100 shares for 40.00, then 40 of them (cost 16.00) for 24.00; the other 60 (cost 24.00) pay 60.00.
    asActivity({ ...aTrade({ ...politics, sharesMicro: 100_000_000n, price: "0.4" }), feeMicro: 500_000n }),
    asActivity({
      ...aTrade({ ...politics, n: 2, side: "SELL", sharesMicro: 40_000_000n, price: "0.6" }),
      feeMicro: 250_000n,
    }),
    // 10 shares for 5.00, then sold for 3.00, in a market that is still open.
    asActivity({ ...aTrade({ ...crypto, price: "0.5" }), feeMicro: 0n }),
    asActivity({ ...aTrade({ ...crypto, n: 4, side: "SELL", price: "0.3" }), feeMicro: 0n }),
    anActivity("MAKER_REBATE", { n: 5, market: null, usdMicro: 1_500_000n }),
  ]);

  async function buildBoards() {
    const { db, openPool } = await createTestDatabase();
    const pool = openPool();
    const markets = [aProviderMarket(1, { category: "Politics" }), aProviderMarket(2, { category: "Crypto" })];
    await followTrader(pool, 1);
    await syncFollowedTrader(pool, anActivityProvider(1, [activity]), 1, COMPLETE.completeAt);
    await db.update(traders).set({ grade: "A", score: 70 });
    await applyMarkets(pool, markets, [], COMPLETE.completeAt);
    await inTransaction(pool, async (session) => {
      await applyResolutions(session, [conditionOf(1)], [aResolution(1, 1_000_000)], [], COMPLETE.completeAt);
      await buildLeaderboard(session);
    });
    return db;
  }

  test("the overall profit is realized plus settled profit, less fees, plus rebates, over all markets", async () => {
    // 8.00 + 36.00 - 0.75 in the first market, -2.00 in the second, 1.50 of rebates.
    expect(await boardOf(await buildBoards())).toMatchObject([
      { realizedMicro: usd(42.75), volumeMicro: usd(72), marketsTraded: 2, marketsWon: 1, marketsDecided: 1 },
    ]);
  });

  test("a category's profit covers its own markets without rebates, but its wins cover all markets", async () => {
    const db = await buildBoards();
    expect(await boardOf(db, "Politics")).toMatchObject([
      { realizedMicro: usd(43.25), volumeMicro: usd(64), marketsTraded: 1, marketsWon: 1, marketsDecided: 1 },
    ]);
    expect(await boardOf(db, "Crypto")).toMatchObject([
      { realizedMicro: usd(-2), volumeMicro: usd(8), marketsTraded: 1, marketsWon: 1, marketsDecided: 1 },
    ]);
  });
});

test("a resolved market is won or lost by both outcomes and fees together, and break-even is neither", async () => {
  const { db, openPool } = await createTestDatabase();
  const wallet = await aSeededTrader(db, COMPLETE);
  const resolved = async () => aMarket(db, RESOLVED);
  const hedged = await resolved();
  await aPosition(db, { trader: wallet, market: hedged, realizedMicro: usd(10) });
  await aPosition(db, { trader: wallet, market: hedged, outcome: 1, settledMicro: usd(-12) });
  await aPosition(db, { trader: wallet, market: await resolved(), realizedMicro: usd(1), feesMicro: usd(2) });
  await aPosition(db, { trader: wallet, market: await resolved(), realizedMicro: usd(-3), settledMicro: usd(4) });
  await aPosition(db, { trader: wallet, market: await resolved(), realizedMicro: usd(3), settledMicro: usd(-3) });
  await aPosition(db, { trader: wallet, market: await aMarket(db), realizedMicro: usd(50) });
  await inTransaction(openPool(), buildLeaderboard);
  // Loses 2, loses 1, wins 1, breaks even, and has a profit of 50 in an unresolved market.
  expect(await boardOf(db)).toMatchObject([
    { realizedMicro: usd(48), marketsTraded: 5, marketsWon: 1, marketsDecided: 3 },
  ]);
});

test("markets without a category count only on the overall leaderboard", async () => {
  const { db, openPool } = await createTestDatabase();
  const wallet = await aSeededTrader(db, COMPLETE);
  await aPosition(db, { trader: wallet, market: await aMarket(db, { category: "Politics" }), realizedMicro: usd(1) });
  await aPosition(db, { trader: wallet, market: await aMarket(db, { category: null }), realizedMicro: usd(2) });
  await inTransaction(openPool(), buildLeaderboard);
  expect(await boardOf(db)).toMatchObject([{ realizedMicro: usd(3), marketsTraded: 2 }]);
  expect(await boardOf(db, "Politics")).toMatchObject([{ realizedMicro: usd(1), marketsTraded: 1 }]);
});

test("a trader without cash movements other than trades has the profit of the trades", async () => {
  const { db, openPool } = await createTestDatabase();
  await aPosition(db, { trader: await aSeededTrader(db, COMPLETE), market: await aMarket(db), realizedMicro: usd(7) });
  await inTransaction(openPool(), buildLeaderboard);
  expect(await boardOf(db)).toMatchObject([{ realizedMicro: usd(7) }]);
});
