import { expect, test } from "vitest";
import { groupBought } from "../../../../src/ingest/profiles/bought-outcomes.ts";
import type { TraderPosition } from "../../../../src/ingest/profiles/load-trader-positions.ts";
import { sumMarkets } from "../../../../src/ingest/profiles/trader-markets.ts";

/** 10 shares bought for 4.00, settled at 1. */
const aPosition = (facts: Partial<TraderPosition> = {}): TraderPosition => ({
  ...{ marketId: 1, conditionId: "0x01", category: "Politics", esportsTags: null, cluster: 1, isKnown: true },
  ...{ boughtUsdMicro: 4_000_000n, boughtSharesMicro: 10_000_000n, given: null, pnlMicro: 6_000_000n, isMatched: true },
  ...{ settledAtMs: 1_000, payoutPpm: 1_000_000, bets: null, firstAtMs: 1, lastAtMs: 2 },
  ...facts,
});

test("a combination whose legs are unknown is no market of its trader", () => {
  const markets = sumMarkets([aPosition(), aPosition({ marketId: 2, conditionId: "0x02", isKnown: false })]);
  expect(markets.map(({ conditionId }) => conditionId)).toEqual(["0x01"]);
});

test("both outcomes are averaged by their shares, and an unknown payout makes the average unknown", () => {
  const other = aPosition({ boughtUsdMicro: 21_000_000n, boughtSharesMicro: 30_000_000n, payoutPpm: 0 });
  // 25.00 for 40 shares, of which 10 pay 1.
  expect(sumMarkets([aPosition(), other])).toMatchObject([{ entryPrice: 0.625, payout: 0.25, isTwoSided: true }]);
  expect(sumMarkets([aPosition(), { ...other, payoutPpm: null }])).toMatchObject([{ entryPrice: 0.625, payout: null }]);
});

test("the payout of a market is exactly 1 however many shares there are", () => {
  const shares = 9_007_199_254_740_993n;
  const huge = aPosition({ boughtSharesMicro: shares, boughtUsdMicro: shares });
  expect(sumMarkets([huge])).toMatchObject([{ entryPrice: 1, payout: 1 }]);
});

test("shares that only a conversion or a split gave were not bought, and categories are in order", () => {
  const given = { usdMicro: 1_000_000n, sharesMicro: 2_000_000n, hasSplit: true, hasConversion: false };
  const bought = groupBought([
    aPosition({ marketId: 2, category: "Sports" }),
    aPosition(),
    aPosition({ marketId: 3, boughtSharesMicro: 0n, boughtUsdMicro: 0n, given }),
    aPosition({ marketId: 4, category: null }),
  ]);
  expect([...bought].map(([category, outcomes]) => [category, outcomes.map(({ marketId }) => marketId)])).toEqual([
    ["Politics", [1]],
    ["Sports", [2]],
  ]);
});
