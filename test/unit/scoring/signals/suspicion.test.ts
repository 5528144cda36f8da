import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recentSlices, type SliceFill } from "../../../../src/scoring/signals/recent-slices.ts";
import {
  freshComponent,
  sizeComponent,
  slicingComponent,
} from "../../../../src/scoring/signals/suspicion-components.ts";
import type { SuspicionInput } from "../../../../src/scoring/signals/suspicion-input.ts";
import { suspicionOf } from "../../../../src/scoring/signals/suspicion.ts";
import { oddNumbersIn } from "./plain-numbers.ts";
import { sized } from "../../../support/sized.ts";
import { HOUR_MS } from "../../../../src/scoring/utc-calendar.ts";

/** Matches no track. */
const ORDINARY: SuspicionInput = {
  side: "BUY",
  outcomeIndex: 0,
  sizeUsd: 20_000,
  floorUsd: 5_000,
  price: 0.5,
  marketVolumeShare: 0.01,
  trader: null,
  slices: null,
};
const NEW_TRADER = { ageDays: 0, markets: 0, volumeUsd: 0 };
const SLICED = { count: 30, totalUsd: 1_000_000, largestUsd: 40_000, marketVolumeShare: 0.1 };

describe("suspicion components", () => {
  // 60 * ln 10 / ln 200 = 60 * 2.302585 / 5.298317 = 26.0753; 40 * 0.05 / 0.10 = 20.
  test("the size component adds dollars on a logarithmic scale and the share of the market", () => {
    expect(sizeComponent(50_000, 5_000, null)).toBeCloseTo(26.0753, 4);
    expect(sizeComponent(50_000, 5_000, 0.05)).toBeCloseTo(46.0753, 4);
    expect(sizeComponent(5_000, 5_000, 0)).toBe(0);
    expect(sizeComponent(0, 5_000, null)).toBe(0);
    expect(sizeComponent(1e12, 5_000, 1)).toBe(100);
  });

  // 50 * (1 - 15/30) + 30 * (1 - 5/20) + 20 * 10,000/40,000 = 25 + 22.5 + 5.
  test("the freshness component adds age, few markets and conviction", () => {
    expect(freshComponent({ ageDays: 15, markets: 5, volumeUsd: 30_000 }, 10_000)).toBe(52.5);
    expect(freshComponent(NEW_TRADER, 10_000)).toBe(100);
    expect(freshComponent({ ageDays: 900, markets: 500, volumeUsd: 1e15 }, 0)).toBe(0);
    expect(freshComponent(NEW_TRADER, 0)).toBe(80);
    expect(freshComponent(null, 10_000)).toBeNull();
  });

  // 100 * ln 5 / ln 30 = 100 * 1.609438 / 3.401197.
  test("the slicing component is logarithmic from one slice to thirty", () => {
    expect([slicingComponent(0), slicingComponent(1), slicingComponent(30), slicingComponent(900)]).toEqual([
      0, 0, 100, 100,
    ]);
    expect(slicingComponent(5)).toBeCloseTo(47.3197, 4);
  });
});

describe("the suspicion of a trade", () => {
  test("a trade that matches no track has no suspicion score", () => {
    expect(suspicionOf(ORDINARY)).toBeNull();
  });

  test("a trade of unknown direction has no suspicion score, however large it is", () => {
    expect(suspicionOf({ ...ORDINARY, sizeUsd: 5e6, outcomeIndex: null })).toBeNull();
  });

  test.each([
    ["BUY", 0, "yes"],
    ["SELL", 0, "no"],
    ["BUY", 1, "no"],
    ["SELL", 1, "yes"],
  ] as const)("a %s of outcome %d is flagged on the %s side", (side, outcomeIndex, expected) => {
    expect(suspicionOf({ ...ORDINARY, sizeUsd: 5e6, side, outcomeIndex })?.side).toBe(expected);
  });
});

describe("the track whale", () => {
  test("the whale track matches 50,000 dollars, or the floor with 5 % of the market", () => {
    expect(suspicionOf({ ...ORDINARY, sizeUsd: 50_000 })?.track).toBe("whale");
    expect(suspicionOf({ ...ORDINARY, sizeUsd: 49_999.999999 })?.track).toBe("whale");
    expect(suspicionOf({ ...ORDINARY, sizeUsd: 49_999.99 })).toBeNull();
    expect(suspicionOf({ ...ORDINARY, sizeUsd: 5_000, marketVolumeShare: 0.05 })?.track).toBe("whale");
    expect(suspicionOf({ ...ORDINARY, sizeUsd: 4_999.999999, marketVolumeShare: 0.05 })?.track).toBe("whale");
    expect(suspicionOf({ ...ORDINARY, sizeUsd: 4_999.99, marketVolumeShare: 0.5 })).toBeNull();
  });

  // 1,000,000 is 200 floors: 60. At 999,000 the total truncates to 59, which is not flagged.
  test("the whale track flags from a total of 60 and does not round up to it", () => {
    expect(suspicionOf({ ...ORDINARY, sizeUsd: 1_000_000, marketVolumeShare: null })).toMatchObject({
      score: 60,
      isFlagged: true,
    });
    expect(suspicionOf({ ...ORDINARY, sizeUsd: 999_000, marketVolumeShare: null })).toMatchObject({
      score: 59,
      isFlagged: false,
      evidence: { total: 59.98 },
    });
  });
});

describe("the track fresh_conviction", () => {
  const fresh = { ...ORDINARY, trader: NEW_TRADER };

  // Size: 60 * ln 4 / ln 200 + 40 * 0.1 = 15.6989 + 4 = 19.6989; half of it and half of 100 make 59.849.
  test("the fresh_conviction track weighs size and freshness equally", () => {
    expect(suspicionOf(fresh)).toMatchObject({
      track: "fresh_conviction",
      score: 59,
      isFlagged: false,
      scores: { timing: null, edge: null, size: 19.69, freshWallet: 100 },
    });
    expect(suspicionOf({ ...fresh, marketVolumeShare: 0.02 })).toMatchObject({ score: 61, isFlagged: true });
  });

  test.each([
    ["a trader of 30 days", { trader: { ...NEW_TRADER, ageDays: 30 } }],
    ["a trader with 11 markets", { trader: { ...NEW_TRADER, markets: 11 } }],
    ["less than half of the trader's volume", { trader: { ...NEW_TRADER, volumeUsd: 20_001 } }],
    ["a trade below the floor", { sizeUsd: 4_999 }],
    ["a side with a price above 0.90", { price: 0.91 }],
    ["a sell that counts as a buy above 0.90", { side: "SELL" as const, price: 0.09 }],
    ["an unknown trader", { trader: null }],
  ])("the fresh_conviction track does not match %s", (_, change) => {
    expect(suspicionOf({ ...fresh, ...change })).toBeNull();
  });

  test("the fresh_conviction track matches at each of its bounds", () => {
    const trader = { ageDays: 29, markets: 10, volumeUsd: 20_000 };
    expect(suspicionOf({ ...fresh, trader, price: 0.9 })?.track).toBe("fresh_conviction");
  });
});

describe("the track sliced_position", () => {
  // The size component of the sum is 100, and so is slicing.
  test("the sliced_position track scores the sum and the number of the slices", () => {
    expect(suspicionOf({ ...ORDINARY, slices: SLICED })).toMatchObject({
      track: "sliced_position",
      score: 100,
      evidence: { slicing: 100 },
    });
    // Five slices of 2,000: 0.7 * 60 * ln 2 / ln 200 + 0.3 * 47.3197 = 5.4946 + 14.1959.
    expect(
      suspicionOf({ ...ORDINARY, slices: { count: 5, totalUsd: 10_000, largestUsd: 2_000, marketVolumeShare: null } })
        ?.score,
    ).toBe(19);
  });

  test.each([
    ["four slices", { count: 4 }],
    ["a sum below twice the floor", { totalUsd: 9_999, largestUsd: 1 }],
    ["one slice above 40 % of the sum", { largestUsd: 400_001 }],
  ])("the sliced_position track does not match %s", (_, change) => {
    expect(suspicionOf({ ...ORDINARY, slices: { ...SLICED, ...change } })).toBeNull();
  });
});

describe("several tracks", () => {
  test("a trade that matches several tracks has the highest total, with all tracks and inputs in its evidence", () => {
    const trader = { ageDays: 3, markets: 1, volumeUsd: 20_000 };
    const result = suspicionOf({ ...ORDINARY, sizeUsd: 60_000, trader, slices: SLICED });
    expect(result?.track).toBe("sliced_position");
    expect(Object.keys(result?.evidence.tracks ?? {})).toEqual(["whale", "fresh_conviction", "sliced_position"]);
    expect(result?.evidence).toMatchObject({
      version: "suspicion-1",
      track: "sliced_position",
      floor: 60,
      inputs: {
        side: "BUY",
        outcome_index: 0,
        price: 0.5,
        size_usd: 60_000,
        capture_floor_usd: 5_000,
        market_volume_share: 0.01,
        wallet: { age_days: 3, markets_before: 1, volume_before_usd: 20_000, share_of_all_traded: 0.75 },
        slices: { count: 30, total_usd: 1_000_000, largest_usd: 40_000, market_volume_share: 0.1 },
      },
    });
    expect(result?.evidence.total).toBe(100);
  });

  test("unknown inputs stay unknown in the evidence", () => {
    const result = suspicionOf({ ...ORDINARY, sizeUsd: 5e6, marketVolumeShare: null });
    expect(result?.scores.freshWallet).toBeNull();
    expect(result?.evidence).toMatchObject({
      fresh: null,
      slicing: null,
      inputs: { market_volume_share: null, wallet: null, slices: null },
    });
  });

  const dollars = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e12, noNaN: true }));
  const share = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null });
  const anyInput = fc.record<SuspicionInput>({
    side: fc.constantFrom("BUY", "SELL"),
    outcomeIndex: fc.constantFrom(0, 1),
    sizeUsd: dollars,
    floorUsd: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    price: fc.double({ min: 0, max: 1, noNaN: true }),
    marketVolumeShare: share,
    trader: fc.option(fc.record({ ageDays: fc.nat(2000), markets: fc.nat(30), volumeUsd: dollars }), { nil: null }),
    slices: fc.option(
      fc.record({ count: fc.nat(100), totalUsd: dollars, largestUsd: dollars, marketVolumeShare: share }),
      { nil: null },
    ),
  });

  test("the suspicion score of any trade is an integer from 0 to 100 with finite evidence", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const result = suspicionOf(input);
        if (result === null) return;
        expect(Number.isInteger(result.score) && result.score >= 0 && result.score <= 100).toBe(true);
        expect(result.isFlagged).toBe(result.score >= 60);
        expect(oddNumbersIn(result)).toEqual([]);
      }),
      { numRuns: sized({ short: 300, full: 1_000 }) },
    );
  });

  test("a larger trade never scores lower, and additional known inputs never lower a score", () => {
    fc.assert(
      fc.property(anyInput, fc.double({ min: 1, max: 100, noNaN: true }), (input, times) => {
        const score = suspicionOf(input)?.score ?? -1;
        expect(suspicionOf({ ...input, sizeUsd: input.sizeUsd * times })?.score ?? -1).toBeGreaterThanOrEqual(score);
        for (const unknown of ["marketVolumeShare", "trader", "slices"] as const) {
          expect(suspicionOf({ ...input, [unknown]: null })?.score ?? -1).toBeLessThanOrEqual(score);
        }
      }),
      { numRuns: sized({ short: 300, full: 1_000 }) },
    );
  });
});

describe("recent slices", () => {
  const NOW_MS = 1_000 * HOUR_MS;
  const fill = (txHash: string, change: Partial<SliceFill> = {}): SliceFill => ({
    txHash,
    side: "BUY",
    outcomeIndex: 0,
    tradedAtMs: NOW_MS,
    usdMicro: 10_000_000n,
    sharesMicro: 20_000_000n,
    ...change,
  });
  const until = { tradedAtMs: NOW_MS, direction: "YES" } as const;

  test("recent slices are the day's transactions for the same side, with one slice per order", () => {
    const fills = [
      fill("0xa"),
      fill("0xa"),
      fill("0xb", { side: "SELL", outcomeIndex: 1 }),
      fill("0xc", { outcomeIndex: 1 }),
      fill("0xd", { tradedAtMs: NOW_MS - 24 * HOUR_MS }),
      fill("0xe", { tradedAtMs: NOW_MS + 1 }),
      fill("0xf", { tradedAtMs: NOW_MS - 24 * HOUR_MS + 1 }),
    ];
    const slices = { count: 3, totalUsd: 40, largestUsd: 20, marketVolumeShare: 0.1 };
    expect(recentSlices(fills, until, 800_000_000n)).toEqual(slices);
    expect(recentSlices(fills.reverse(), until, 800_000_000n)).toEqual(slices);
  });

  test("recent slices have no market share when the market's shares are unknown, and are null without a fill", () => {
    expect(recentSlices([fill("0xa")], until, null)?.marketVolumeShare).toBeNull();
    expect(recentSlices([fill("0xa")], until, 0n)?.marketVolumeShare).toBeNull();
    expect(recentSlices([], until, 1n)).toBeNull();
  });
});

// docs/signals.md, computed by hand at a floor of 5,000: all 60 points of the dollars need 200 floors, 20 of
// them 5,000 * 200^(1/3) = 29,240.18.
describe("documented minimum amounts", () => {
  const isFlagged = (facts: Partial<SuspicionInput>) => suspicionOf({ ...ORDINARY, ...facts })?.isFlagged ?? false;

  test.each([
    ["a whale with an unknown market share", { marketVolumeShare: null }, 1_000_000, 999_000],
    ["a fresh trader with an unknown market share", { marketVolumeShare: null, trader: NEW_TRADER }, 29_241, 29_240],
    ["a whale with a tenth of its market", { marketVolumeShare: 0.1 }, 29_241, 29_240],
    ["a fresh trader with a tenth of its market", { marketVolumeShare: 0.1, trader: NEW_TRADER }, 5_000, 4_999],
  ])("the smallest flagged amount matches the documentation for %s", (_, facts, least, below) => {
    expect([isFlagged({ ...facts, sizeUsd: least }), isFlagged({ ...facts, sizeUsd: below })]).toEqual([true, false]);
  });
});
