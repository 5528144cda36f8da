import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { categorySkill } from "../../../../src/scoring/skill/category-skill.ts";
import { addBoughtOutcome, emptyCategory, type BoughtOutcome } from "../../../../src/scoring/skill/category-sums.ts";
import { studentQuantile975 } from "../../../../src/scoring/skill/student-quantile.ts";

/** Published table of Student's t, 97.5 %. */
test.each([
  [9, 2.262157],
  [10, 2.228139],
  [12, 2.178813],
  [15, 2.13145],
  [20, 2.085963],
  [30, 2.042272],
  [60, 2.000298],
  [120, 1.97993],
  [1_000_000, 1.959966],
])("the 97.5th percentile of Student's t with %d degrees of freedom is %d", (degrees, t) => {
  expect(Math.abs(studentQuantile975(degrees) - t)).toBeLessThan(2e-5);
});

/** 100 shares of a market of its own event, bought at this price, won or lost, with counted bets. */
const bought = (n: number, price: number, payout: number | null, facts: Partial<BoughtOutcome> = {}): BoughtOutcome => {
  const usdMicro = 100e6 * price;
  return {
    cluster: n,
    marketId: n,
    boughtUsdMicro: usdMicro,
    boughtSharesMicro: 100e6,
    payout,
    bets: payout === null ? null : { usdMicro, edgeMicro: usdMicro * (payout - price) },
    firstAtMs: n,
    lastAtMs: n + 1,
    ...facts,
  };
};

const skillOf = (outcomes: readonly BoughtOutcome[]) => {
  const sums = emptyCategory();
  for (const outcome of outcomes) addBoughtOutcome(sums, outcome);
  return categorySkill(sums);
};

/** Six events won at 0.4 and four lost at 0.6: edges of 0.6 and -0.6, squares of 0.36. */
const TEN = Array.from({ length: 10 }, (_, n) => (n < 6 ? bought(n + 1, 0.4, 1) : bought(n + 1, 0.6, 0)));

describe("category skill of ten events", () => {
  test("category skill has the mean, deviation, error, lower bound and Brier score computed by hand", () => {
    const { status, estimate, ...counts } = skillOf(TEN);
    expect({ status, ...counts }).toEqual({
      status: "live",
      events: 10,
      resolvedMarkets: 10,
      unresolvedOutcomes: 0,
      firstAtMs: 1,
      lastAtMs: 11,
    });
    // Mean 0.12. Squared deviations: 6 times 0.48² and 4 times 0.72², 3.456 over 9 is 0.384.
    expect(estimate?.mean).toBeCloseTo(0.12, 12);
    expect(estimate?.deviation).toBeCloseTo(Math.sqrt(0.384), 12);
    expect(estimate?.error).toBeCloseTo(Math.sqrt(0.0384), 12);
    expect(estimate?.lower95).toBeCloseTo(0.12 - 2.262157 * Math.sqrt(0.0384), 4);
    expect(estimate?.brier).toBeCloseTo(0.36, 12);
  });

  test("category skill of nine events is insufficient, and its numbers are withheld", () => {
    expect(skillOf(TEN.slice(1))).toMatchObject({ status: "insufficient", events: 9, estimate: null });
  });

  test("markets of one event are one observation, with the edge weighted by dollars and the Brier score by shares", () => {
    // The last event has 60 dollars at an edge of -0.6, and another 100 shares for 30 dollars at an edge of
    // 0.7.
    const both = [...TEN, bought(99, 0.3, 1, { cluster: 10 })];
    const { events, resolvedMarkets, estimate } = skillOf(both);
    expect([events, resolvedMarkets]).toEqual([10, 11]);
    const edge = (60 * -0.6 + 30 * 0.7) / 90;
    expect(estimate?.mean).toBeCloseTo((6 * 0.6 + 3 * -0.6 + edge) / 10, 12);
    expect(estimate?.brier).toBeCloseTo((9 * 0.36 + (0.36 + 0.49) / 2) / 10, 12);
  });

  test("the bets of a market are counted once for both of its outcomes", () => {
    const hedged = { cluster: 10, marketId: 10, bets: { usdMicro: 100e6, edgeMicro: -20e6 } };
    const pair = [bought(10, 0.6, 0, hedged), bought(10, 0.4, 1, hedged)];
    const unhedged = bought(11, 0.5, 1, { cluster: 10 });
    const { estimate, resolvedMarkets } = skillOf([...TEN.slice(0, 9), ...pair, unhedged]);
    expect(resolvedMarkets).toBe(11);
    // 100 dollars at -0.2 in the hedged market and 50 at 0.5 in the other market.
    expect(estimate?.mean).toBeCloseTo((6 * 0.6 + 3 * -0.6 + (-20 + 25) / 150) / 10, 12);
  });

  test("unresolved outcomes are counted separately and do not change the estimate", () => {
    const { status, estimate, unresolvedOutcomes, lastAtMs } = skillOf([
      ...TEN,
      bought(50, 0.2, null),
      bought(51, 0.9, null),
    ]);
    expect([status, unresolvedOutcomes, lastAtMs]).toEqual(["live", 2, 52]);
    expect(estimate).toEqual(skillOf(TEN).estimate);
  });

  test("a resolved market without counted bets withholds all numbers", () => {
    expect(skillOf([...TEN, bought(50, 0.2, 1, { bets: null })])).toMatchObject({
      status: "degraded",
      estimate: null,
    });
  });

  test("an event without any counted dollar is not an observation", () => {
    expect(skillOf([...TEN.slice(1), bought(70, 0.5, 1, { bets: { usdMicro: 0, edgeMicro: 0 } })])).toMatchObject({
      status: "insufficient",
      events: 9,
    });
  });
});

test("category skill is finite for any input and independent of the order of outcomes", () => {
  const anyOutcome = fc
    .record({
      n: fc.integer({ min: 1, max: 30 }),
      price: fc.double({ min: 0, max: 1, noNaN: true }),
      payout: fc.constantFrom(0, 0.5, 1, null),
    })
    .map(({ n, price, payout }) => bought(n, price, payout));
  fc.assert(
    fc.property(fc.array(anyOutcome, { minLength: 1, maxLength: 60 }), (outcomes) => {
      const unique = [...new Map(outcomes.map((outcome) => [outcome.marketId, outcome])).values()];
      const skill = skillOf(unique);
      expect(Object.values(skill.estimate ?? {}).every(Number.isFinite)).toBe(true);
      const reversed = skillOf(unique.toReversed());
      expect(reversed.events).toBe(skill.events);
      expect(Math.abs((reversed.estimate?.mean ?? 0) - (skill.estimate?.mean ?? 0))).toBeLessThan(1e-12);
      const { mean = 0, lower95 = 0, brier = 0 } = skill.estimate ?? {};
      expect([lower95 <= mean, brier >= 0, brier <= 1]).toEqual([true, true, true]);
    }),
  );
});
