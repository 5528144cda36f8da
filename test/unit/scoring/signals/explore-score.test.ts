import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  discoverScore,
  exploreSignals,
  trendingScore,
  type ExploreScoreInput,
} from "../../../support/oracles/explore-score.ts";
import { smartLean } from "../../../../src/scoring/signals/smart-lean.ts";
import { oddNumbersIn } from "./plain-numbers.ts";

const NOTHING_KNOWN: ExploreScoreInput = {
  volumeUsd: null,
  volume24hUsd: null,
  largeTradeCount: null,
  hoursSinceLargeTrade: null,
  liquidityUsd: null,
  sharpNetUsd: null,
  price: null,
  price24hAgo: null,
};

describe("exploration signals", () => {
  test("exploration signals are 1 at their full amounts and 0 at zero", () => {
    const full = {
      volumeUsd: 1e7,
      volume24hUsd: 1e6,
      largeTradeCount: 100,
      hoursSinceLargeTrade: 0,
      liquidityUsd: 1e6,
      sharpNetUsd: -1e6,
    };
    expect(exploreSignals({ ...full, price: 0.7, price24hAgo: 0.4 })).toEqual({
      volumeSignal: 1,
      largeTradeSignal: 1,
      liquiditySignal: 1,
      recencySignal: 1,
      sharpMoneySignal: 1,
      priceMoveSignal: 1,
      missingPricePenalty: 0,
      dayVolumeSignal: 1,
    });
    const none = { volumeUsd: 0, volume24hUsd: 0, largeTradeCount: 0, liquidityUsd: 0, sharpNetUsd: 0 };
    expect(exploreSignals({ ...NOTHING_KNOWN, ...none, price: 0, price24hAgo: 0 })).toEqual({
      volumeSignal: 0,
      largeTradeSignal: 0,
      liquiditySignal: 0,
      recencySignal: null,
      sharpMoneySignal: 0,
      priceMoveSignal: 0,
      missingPricePenalty: 0,
      dayVolumeSignal: 0,
    });
  });

  // ln 1001 / ln 10000001 = 6.908755 / 16.118096; ln 11 / ln 101 = 2.397895 / 4.615121; two days halve twice;
  // 0.05 of 0.20.
  test("exploration signals are logarithmic in amounts, halve each day for recency and are linear in price moves", () => {
    const signals = exploreSignals({
      ...NOTHING_KNOWN,
      volumeUsd: 1000,
      largeTradeCount: 10,
      hoursSinceLargeTrade: 48,
      price: 0.5,
      price24hAgo: 0.55,
    });
    expect(signals.volumeSignal).toBeCloseTo(0.428633, 6);
    expect(signals.largeTradeSignal).toBeCloseTo(0.519574, 6);
    expect(signals.recencySignal).toBe(0.25);
    expect(signals.priceMoveSignal).toBeCloseTo(0.25, 12);
  });

  test("an exploration signal counts a negative amount as zero", () => {
    expect(exploreSignals({ ...NOTHING_KNOWN, liquidityUsd: -5 }).liquiditySignal).toBe(0);
  });

  test("exploration signals are unknown without data, except for the missing-price penalty", () => {
    const { missingPricePenalty, ...signals } = exploreSignals(NOTHING_KNOWN);
    expect(Object.values(signals).every((signal) => signal === null)).toBe(true);
    expect(missingPricePenalty).toBe(0.5);
  });
});

describe("exploration scores", () => {
  const signals = {
    volumeSignal: 0.5,
    largeTradeSignal: 0.5,
    liquiditySignal: 0.25,
    recencySignal: 0.5,
    sharpMoneySignal: null,
    priceMoveSignal: 1,
    missingPricePenalty: 0,
    dayVolumeSignal: 0.75,
  };

  test("the discover score adds four signals and sharp money, subtracts the penalty and ignores the price move", () => {
    expect(discoverScore(signals)).toBe(1.75);
    expect(discoverScore({ ...signals, sharpMoneySignal: 0.25 })).toBe(2);
    expect(discoverScore({ ...signals, missingPricePenalty: 0.5 })).toBe(1.25);
    expect(discoverScore({ ...signals, priceMoveSignal: null })).toBe(1.75);
  });

  test("the trending score adds the day's volume and the recency of large trades", () => {
    expect(trendingScore(signals)).toBe(1);
    expect(trendingScore({ ...signals, recencySignal: null })).toBe(0.75);
  });

  test("exploration scores are unknown without any signal, and never below 0", () => {
    const unknown = exploreSignals(NOTHING_KNOWN);
    expect([discoverScore(unknown), trendingScore(unknown)]).toEqual([null, null]);
    expect(discoverScore({ ...unknown, volumeSignal: 0.25 })).toBe(0);
  });

  const amount = fc.option(fc.oneof(fc.constant(0), fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })), {
    nil: null,
  });
  const price = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null });
  const anyInput = fc.record({
    volumeUsd: amount,
    volume24hUsd: amount,
    largeTradeCount: amount,
    hoursSinceLargeTrade: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: null }),
    liquidityUsd: amount,
    sharpNetUsd: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: null }),
    price,
    price24hAgo: price,
  });

  test("exploration scores stay within their ranges, and more volume never lowers one", () => {
    fc.assert(
      fc.property(anyInput, amount, (input, more) => {
        const signalsOfInput = exploreSignals(input);
        const discover = discoverScore(signalsOfInput);
        expect(oddNumbersIn([signalsOfInput, discover, trendingScore(signalsOfInput)])).toEqual([]);
        for (const signal of Object.values(signalsOfInput)) expect(signal ?? 0).toBeLessThanOrEqual(1);
        expect(discover ?? 0).toBeGreaterThanOrEqual(0);
        expect(discover ?? 0).toBeLessThanOrEqual(5);
        expect(trendingScore(signalsOfInput) ?? 0).toBeLessThanOrEqual(2);
        const larger = exploreSignals({ ...input, volumeUsd: (input.volumeUsd ?? 0) / 2 + (more ?? 0) / 2 });
        const smaller = exploreSignals({ ...input, volumeUsd: (input.volumeUsd ?? 0) / 2 });
        expect(discoverScore(larger) ?? 0).toBeGreaterThanOrEqual(discoverScore(smaller) ?? 0);
      }),
    );
  });
});

describe("the lean of graded money", () => {
  test("the smart score of a market is the graded share on YES minus the price of YES", () => {
    expect(smartLean({ yesUsd: 900, noUsd: 100, traderCount: 3 }, 0.5)).toEqual({
      smartScore: 0.4,
      smartCount: 3,
      smartSide: "YES",
    });
    expect(smartLean({ yesUsd: 0, noUsd: 1000, traderCount: 3 }, 1)).toEqual({
      smartScore: -1,
      smartCount: 3,
      smartSide: "NO",
    });
  });

  test("the smart score is 0 for an equal number of shares on both sides, at any price", () => {
    // 1,000 shares on each side at 0.9 are 900 and 100 dollars.
    expect(smartLean({ yesUsd: 900, noUsd: 100, traderCount: 2 }, 0.9)).toEqual({
      smartScore: 0,
      smartCount: 2,
      smartSide: null,
    });
  });

  test("the smart side is named from 10 points on, and unknown below 500 dollars or without a price", () => {
    expect(smartLean({ yesUsd: 600, noUsd: 400, traderCount: 2 }, 0.5).smartSide).toBe("YES");
    expect(smartLean({ yesUsd: 599, noUsd: 401, traderCount: 2 }, 0.5).smartSide).toBeNull();
    const unknown = { smartScore: null, smartCount: 2, smartSide: null };
    expect(smartLean({ yesUsd: 499, noUsd: 0, traderCount: 2 }, 0.5)).toEqual(unknown);
    expect(smartLean({ yesUsd: 600, noUsd: 400, traderCount: 2 }, null)).toEqual(unknown);
    expect(smartLean({ yesUsd: 0, noUsd: 0, traderCount: 0 }, 0.5)).toEqual({ ...unknown, smartCount: 0 });
  });

  test("the smart score lies between -1 and 1 and changes sign when the sides are swapped", () => {
    const usd = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(usd, usd, fc.double({ min: 0, max: 1, noNaN: true }), (yesUsd, noUsd, price) => {
        const lean = smartLean({ yesUsd, noUsd, traderCount: 1 }, price);
        const swapped = smartLean({ yesUsd: noUsd, noUsd: yesUsd, traderCount: 1 }, 1 - price);
        expect(oddNumbersIn(lean)).toEqual([]);
        expect(Math.abs(lean.smartScore ?? 0)).toBeLessThanOrEqual(1);
        expect(lean.smartScore ?? 0).toBeCloseTo(-(swapped.smartScore ?? 0), 10);
      }),
    );
  });
});
