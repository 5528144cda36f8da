import fc from "fast-check";
import type { SettledBet } from "../../../../src/scoring/skill/settled-bet.ts";
import { aSettledBet } from "../../../support/a-settled-bet.ts";
import type { ClosingPopulation } from "../../../../src/scoring/skill/closing-population.ts";
import type { SkillPopulation } from "../../../../src/scoring/skill/population.ts";

export const aPopulation: SkillPopulation = {
  traders: 1000,
  mean: -0.02,
  variance: 0.01,
  dispersion: 1,
  storyCorrelation: 0,
  typicalVariance: 0.14,
  significance: 5,
  closing: null,
};

export const aClosing: ClosingPopulation = {
  mean: -0.01,
  variance: 0.005,
  covariance: 0.006,
  significance: 4,
  dispersion: 0.2,
  crossDispersion: 0.18,
};

/** The closing price of the first outcome of the market that pays this. */
const closeOf = (paid: number): number => 0.2 + 0.7 * paid;

/** Two clusters share a story, one is alone in its story, one has none. */
const STORY_OF: Readonly<Record<string, { readonly story: string }>> = {
  a: { story: "night" },
  b: { story: "night" },
  c: { story: "other night" },
};

/** Bets in few markets of few clusters, including prices of 0 and 1, tiny and very large amounts. */
export const anyBet: fc.Arbitrary<SettledBet> = fc
  .record({
    cluster: fc.constantFrom("a", "b", "c", "d"),
    outcome: fc.constantFrom(0, 1),
    price: fc.oneof(fc.constantFrom(0, 1, 0.5), fc.double({ min: 0, max: 1, noNaN: true })),
    shares: fc.oneof(fc.constantFrom(1e-9, 1e-6, 5_000_000), fc.double({ min: 0, max: 10_000, noNaN: true })),
    // What the market's first outcome pays: one market for each.
    paid: fc.constantFrom(0, 0.5, 1),
    isMaker: fc.boolean(),
    isEarly: fc.boolean(),
  })
  .map(({ cluster, outcome, price, shares, paid, isMaker, isEarly }) => ({
    ...{ cluster, market: `${cluster} ${paid}`, outcome, shares, ...STORY_OF[cluster] },
    ...{ usd: shares * price, payout: outcome === 0 ? paid : 1 - paid, isMaker },
    ...(isEarly ? { close: outcome === 0 ? closeOf(paid) : 1 - closeOf(paid) } : {}),
  }));

/** One bet of 100 dollars in each cluster; the first `won` clusters are won. */
export const evenBets = (clusters: number, won: number, price = 0.5): SettledBet[] =>
  Array.from({ length: clusters }, (_, index) =>
    aSettledBet({ cluster: `c${index}`, price, usd: 100, payout: index < won ? 1 : 0 }),
  );
