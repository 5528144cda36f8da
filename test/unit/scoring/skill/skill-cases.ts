import fc from "fast-check";
import type { SettledBet } from "../../../../src/scoring/skill/settled-bet.ts";
import type { SkillPopulation } from "../../../../src/scoring/skill/population.ts";

export const aPopulation: SkillPopulation = {
  traders: 1000,
  mean: -0.02,
  variance: 0.01,
  dispersion: 1,
  typicalVariance: 0.14,
};

/** Bets in few clusters, including prices of 0 and 1, tiny and very large amounts. */
export const anyBet: fc.Arbitrary<SettledBet> = fc.record({
  cluster: fc.constantFrom("a", "b", "c", "d"),
  price: fc.oneof(fc.constantFrom(0, 1, 0.5), fc.double({ min: 0, max: 1, noNaN: true })),
  usd: fc.oneof(fc.constantFrom(0, 1e-9, 1e-6, 5_000_000), fc.double({ min: 0, max: 10_000, noNaN: true })),
  payout: fc.constantFrom(0, 0.5, 1),
});

/** One bet of 100 dollars in each cluster; the first `won` clusters are won. */
export const evenBets = (clusters: number, won: number, price = 0.5): SettledBet[] =>
  Array.from({ length: clusters }, (_, index) => ({
    cluster: `c${index}`,
    price,
    usd: 100,
    payout: index < won ? 1 : 0,
  }));
