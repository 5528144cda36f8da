import { expect, test } from "vitest";
import { findTraderPnlCurve } from "../../../../src/queries/traders/pnl-days.ts";
import { drawdowns } from "../../../../src/scoring/metrics/series/drawdown.ts";
import { periodStats } from "../../../../src/scoring/metrics/series/period-stats.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aFill } from "../../../support/seed/fills.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { someDays } from "../../../support/seed/traders/pnl.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const completeAt = new Date("2026-11-06T00:00:00Z");

/**
 * A trader with four days: 10 - 1 + 0.50, -20, only a reward, and an amount that exceeds the precision of a
 * float.
 */
async function aTraderOfFourDays() {
  const { db } = await createTestDatabase();
  const wallet = await aSeededTrader(db, { completeAt, username: "Four" });
  await someDays(db, wallet, [
    { day: "2026-11-01", realizedMicro: 10_000_000n, feesMicro: 1_000_000n, rebatesMicro: 500_000n, volumeMicro: 7n },
    { day: "2026-11-03", settledMicro: -20_000_000n },
    { day: "2026-11-04", rewardsMicro: 3n },
    { day: "2026-11-05", realizedMicro: 9_007_199_254_740_993n },
  ]);
  await someDays(db, await aSeededTrader(db, { completeAt }), [{ day: "2026-11-02", realizedMicro: 99n }]);
  return { db, wallet };
}

test("a trader's days are in order with exact cumulative sums, and rewards do not count as profit", async () => {
  const { db, wallet } = await aTraderOfFourDays();
  const pnl = await findTraderPnlCurve(db, { id: wallet.id }, false);
  expect(pnl?.days.map(({ day, pnlMicro, cumulativeMicro }) => [day, pnlMicro, cumulativeMicro])).toEqual([
    ["2026-11-01", 9_500_000n, 9_500_000n],
    ["2026-11-03", -20_000_000n, -10_500_000n],
    ["2026-11-04", 0n, -10_500_000n],
    ["2026-11-05", 9_007_199_254_740_993n, 9_007_199_244_240_993n],
  ]);
  expect(pnl?.days[0]).toMatchObject({ volumeMicro: 7n, marketsTraded: null });
  expect(pnl).toMatchObject({ id: wallet.id, address: wallet.address, syncedAt: "2026-11-06T00:00:00.000Z" });
});

test("the PnL of a trader is found by address and username, and an unknown trader is null", async () => {
  const { db, wallet } = await aTraderOfFourDays();
  expect(await findTraderPnlCurve(db, { address: wallet.address }, false)).toMatchObject({ id: wallet.id });
  expect(await findTraderPnlCurve(db, { username: "four" }, false)).toMatchObject({ id: wallet.id });
  expect(await findTraderPnlCurve(db, { username: "nobody" }, true)).toBeNull();
});

test("the days can be used as a curve by the scoring functions", async () => {
  const { db, wallet } = await aTraderOfFourDays();
  const { days } = (await findTraderPnlCurve(db, { id: wallet.id }, false)) ?? { days: [] };
  expect(drawdowns(days).deepest).toMatchObject({
    amountMicro: -20_000_000n,
    peakDay: "2026-11-01",
    troughDay: "2026-11-03",
  });
  expect(periodStats(days, "2026-11-04", 2)).toMatchObject({
    rebaseAnchorMicro: 9_500_000n,
    changeMicro: -20_000_000n,
    lossDays: 1,
  });
});

test("traded markets count once a day and once a month in UTC, and splits are not trades", async () => {
  const { db } = await createTestDatabase();
  const wallet = await aSeededTrader(db, { completeAt });
  const [first, second] = [await aMarket(db), await aMarket(db)];
  for (const [market, at] of [
    [first, "2026-10-31T23:59:59Z"],
    [first, "2026-11-01T00:00:00Z"],
    [first, "2026-11-01T12:00:00Z"],
    [second, "2026-11-01T23:59:59Z"],
    [second, "2026-11-02T00:00:00Z"],
  ] as const) {
    await aFill(db, { trader: wallet, market, at });
  }
  await aFill(db, { trader: wallet, market: await aMarket(db), at: "2026-11-02T01:00:00Z", kind: "split" });
  await aFill(db, { trader: await aSeededTrader(db), market: await aMarket(db), at: "2026-11-02T01:00:00Z" });
  await someDays(
    db,
    wallet,
    ["2026-10-31", "2026-11-01", "2026-11-02", "2026-11-03"].map((day) => ({ day })),
  );
  const pnl = await findTraderPnlCurve(db, { id: wallet.id }, true);
  expect(pnl?.days.map(({ day, marketsTraded }) => [day, marketsTraded])).toEqual([
    ["2026-10-31", 1],
    ["2026-11-01", 2],
    ["2026-11-02", 1],
    ["2026-11-03", 0],
  ]);
  expect([...(pnl?.marketsByMonth ?? [])].toSorted()).toEqual([
    ["2026-10", 1],
    ["2026-11", 2],
  ]);
});

test.each([
  ["still being read", { isFollowed: true }],
  ["incomplete because of a gap", { completeAt, gaps: ["MIGRATION"] }],
  ["not followed", {}],
])("a trader that is %s has no PnL days", async (_, facts) => {
  const { db } = await createTestDatabase();
  const wallet = await aSeededTrader(db, facts);
  await someDays(db, wallet, [{ day: "2026-11-01", realizedMicro: 5n }]);
  await aFill(db, { trader: wallet, market: await aMarket(db) });
  const pnl = await findTraderPnlCurve(db, { id: wallet.id }, true);
  expect(pnl).toMatchObject({ id: wallet.id, syncedAt: null, days: [] });
  expect(pnl?.marketsByMonth.size).toBe(0);
});
