import { expect, test } from "vitest";
import { traderDays } from "../../../src/db/schema.ts";
import { listPnlDays } from "../../../src/queries/pnl-days.ts";
import { drawdowns } from "../../../src/scoring/metrics/drawdown.ts";
import { periodStats } from "../../../src/scoring/metrics/period-stats.ts";
import { createTestDatabase } from "../../support/database.ts";
import { joinIngest } from "../../support/ingest/ingest-under-test.ts";
import { aTrade, pageOf } from "../../support/ingest/trades.ts";
import { aWallet } from "../../support/seed/wallets.ts";

const NOTHING = { realizedMicro: 0n, settledMicro: 0n, feesMicro: 0n, rebatesMicro: 0n, rewardsMicro: 0n, volumeMicro: 0n, entryCount: 1 };

/** A wallet of four days: 10 - 1 + 0.50, -20, nothing but a reward, and a sum that no float holds. */
async function aWalletOfFourDays() {
  const { db } = await createTestDatabase();
  const { id: traderId } = await aWallet(db);
  const { id: other } = await aWallet(db);
  await db.insert(traderDays).values([
    { ...NOTHING, traderId, day: "2026-11-01", realizedMicro: 10_000_000n, feesMicro: 1_000_000n, rebatesMicro: 500_000n, volumeMicro: 7n },
    { ...NOTHING, traderId, day: "2026-11-03", settledMicro: -20_000_000n },
    { ...NOTHING, traderId, day: "2026-11-04", rewardsMicro: 3n },
    { ...NOTHING, traderId, day: "2026-11-05", realizedMicro: 9_007_199_254_740_993n },
    { ...NOTHING, traderId: other, day: "2026-11-02", realizedMicro: 99n },
  ]);
  return { db, traderId };
}

const ALL = { from: null, to: null };

test("a wallet's days come oldest first with exact sums from its first day on; rewards are no result", async () => {
  const { db, traderId } = await aWalletOfFourDays();
  const days = await listPnlDays(db, traderId, ALL);
  expect(days.map(({ day, pnlMicro, cumulativeMicro }) => [day, pnlMicro, cumulativeMicro])).toEqual([
    ["2026-11-01", 9_500_000n, 9_500_000n],
    ["2026-11-03", -20_000_000n, -10_500_000n],
    ["2026-11-04", 0n, -10_500_000n],
    ["2026-11-05", 9_007_199_254_740_993n, 9_007_199_244_240_993n],
  ]);
  expect(days[0]?.volumeMicro).toBe(7n);
});

test("a range keeps its bounds and is not rebased", async () => {
  const { db, traderId } = await aWalletOfFourDays();
  const sumsOf = async (from: string | null, to: string | null) =>
    (await listPnlDays(db, traderId, { from, to })).map(({ day, cumulativeMicro }) => [day.slice(-2), cumulativeMicro]);
  expect(await sumsOf("2026-11-03", "2026-11-04")).toEqual([
    ["03", -10_500_000n],
    ["04", -10_500_000n],
  ]);
  expect(await sumsOf(null, "2026-11-02")).toEqual([["01", 9_500_000n]]);
  expect(await sumsOf("2026-11-06", null)).toEqual([]);
});

test("the days are a curve as the scoring takes it", async () => {
  const { db, traderId } = await aWalletOfFourDays();
  const days = await listPnlDays(db, traderId, ALL);
  expect(drawdowns(days).deepest).toMatchObject({ amountMicro: -20_000_000n, peakDay: "2026-11-01", troughDay: "2026-11-03" });
  expect(periodStats(days, "2026-11-04", 2)).toMatchObject({ rebaseAnchorMicro: 9_500_000n, changeMicro: -20_000_000n, lossDays: 1 });
});

test("each day names the markets with a fill on it, once", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const at = (text: string) => Date.parse(text) / 1000;
  await joinIngest(pool).apply(
    "all",
    pageOf([
      aTrade({ n: 1, market: 1, atSeconds: at("2026-11-01T00:00:00Z") }),
      aTrade({ n: 2, market: 1, atSeconds: at("2026-11-01T12:00:00Z") }),
      aTrade({ n: 3, market: 2, atSeconds: at("2026-11-01T23:59:59Z") }),
      aTrade({ n: 4, market: 2, atSeconds: at("2026-11-02T00:00:00Z") }),
    ]),
  );
  const { rows } = await pool.query<{ id: string; trader_id: string }>(
    "select id, (select id from traders) as trader_id from markets order by condition_id",
  );
  const [first, second] = rows;
  const days = await listPnlDays(db, Number(first?.trader_id), ALL);
  expect(days.map(({ day, markets }) => [day, markets.toSorted()])).toEqual([
    ["2026-11-01", [first?.id, second?.id]],
    ["2026-11-02", [second?.id]],
  ]);
});
