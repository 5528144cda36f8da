import { expect, test } from "vitest";
import { estimateSkill } from "../../../../src/scoring/skill/estimate-skill.ts";
import { evidenceOf, NO_EVIDENCE, type SkillEvidence } from "../../../../src/scoring/skill/evidence.ts";
import { designEffect, rawEdge } from "../../../../src/scoring/skill/raw-edge.ts";
import { evenBets, aPopulation } from "./skill-cases.ts";

// Computed by hand: 40 clusters at 0.50, 24 won. Edge 24*0.5 - 16*0.5 = 4, information 40*0.25 = 10, so the
// relative edge is 0.4. Trust 10/(10+5) = 2/3. Squares by prices: 10. Own squares: deviations are 0.5 - 0.1 =
// 0.4 (24 times) and -0.6 (16 times): 24*0.16 + 16*0.36 = 9.6, times 40/39 = 9.846154. Blend: 10/3 +
// 2/3*9.846154 = 9.897436. Squared error 9.897436/100 = 0.09897436.
test("the raw edge and its error follow from clusters, prices and their spread", () => {
  const raw = rawEdge(evidenceOf(evenBets(40, 24)), aPopulation);
  expect(raw?.value).toBeCloseTo(0.4, 9);
  expect(raw?.squaredError).toBeCloseTo(0.09897436, 7);
});

// Thirty even bets of 100 dollars in one story: information 7.5, squares by prices 7.5, pairs 30 * 29 * 0.25 = 217.5. With a
// correlation of 0.1 the design effect is 1 + 29 * 0.1 = 3.9. 18 won: edge 3, relative edge 0.4, deviations 0.4 (18 times) and -0.6
// (12): 7.2, times 30/29 = 7.4482759. Trust 7.5/12.5 = 0.6: 0.4*7.5 + 0.6*7.4482759 = 7.4689655. Squared error
// 3.9*7.4689655/56.25 = 0.51784828.
test("thirty events of one night weigh as much as their design effect leaves", () => {
  const bets = evenBets(30, 18).map((bet) => ({ ...bet, story: "night" }));
  const evidence = evidenceOf(bets);
  expect(designEffect(evidence, 0.1)).toBeCloseTo(3.9, 9);
  expect(rawEdge(evidence, { dispersion: 1, storyCorrelation: 0.1 })?.squaredError).toBeCloseTo(0.51784828, 7);
  // As one observation: 1 + 29 = 30.
  expect(designEffect(evidence, 1)).toBeCloseTo(30, 9);
  expect(rawEdge(evidence, aPopulation)).toEqual(rawEdge(evidenceOf(evenBets(30, 18)), aPopulation));
  const spread = evenBets(30, 18).map((bet, night) => ({ ...bet, story: `night ${night}` }));
  expect(designEffect(evidenceOf(spread), 1)).toBe(1);
});

// Computed by hand, with mean -0.02 and variance 0.01: precisions 100 and 10.10363; mean (-2 +
// 4.041450)/110.10363 = 0.01854117; points 100*0.01854117*0.25 = 0.463529; deviation
// 100*sqrt(1/110.10363)*0.25 = 2.382540; own share 10.10363/110.10363 = 0.0917647.
test("the estimate weighs record and population by their precisions", () => {
  const estimate = estimateSkill(evidenceOf(evenBets(40, 24)), aPopulation);
  expect(estimate.rawPoints).toBeCloseTo(10, 9);
  expect(estimate.expectedPoints).toBeCloseTo(0.463529, 4);
  expect(estimate.deviationPoints).toBeCloseTo(2.38254, 4);
  expect(estimate.ownShare).toBeCloseTo(0.0917647, 6);
});

test("the estimate without evidence is the population's mean and deviation at its typical prices", () => {
  const estimate = estimateSkill(NO_EVIDENCE, aPopulation);
  expect(estimate.rawPoints).toBeNull();
  expect(estimate.expectedPoints).toBeCloseTo(-0.28, 12);
  expect(estimate.deviationPoints).toBeCloseTo(1.4, 12);
  expect(estimate.ownShare).toBe(0);
});

test("the estimate with growing evidence approaches the raw edge, and its own share approaches 1", () => {
  const gaps = [100, 10_000, 1_000_000].map((size) => {
    const unit = evidenceOf(evenBets(40, 24));
    // The sums grow with the clusters: each is a multiple of the same forty clusters.
    const much = Object.fromEntries(
      Object.entries(unit).map(([name, value]) => [name, value * size]),
    ) as unknown as SkillEvidence;
    const { expectedPoints, ownShare } = estimateSkill(much, aPopulation);
    return { gap: Math.abs(expectedPoints - 10), share: ownShare };
  });
  expect(gaps[2]?.gap).toBeLessThan(0.002);
  expect(gaps[2]?.share).toBeGreaterThan(0.9999);
  expect(gaps.map(({ gap }) => gap)).toEqual(gaps.map(({ gap }) => gap).toSorted((a, b) => b - a));
});

test("a cluster of a thousand slices is no more evidence than the same dollars in one bet", () => {
  const one = evenBets(40, 24);
  const sliced = one.flatMap((bet) =>
    Array.from({ length: 1000 }, () => ({ ...bet, usd: bet.usd / 1000, shares: bet.shares / 1000 })),
  );
  expect(estimateSkill(evidenceOf(sliced), aPopulation)).toEqual(estimateSkill(evidenceOf(one), aPopulation));
});

test("won favourites move the estimate less than even bets with the same raw edge", () => {
  const [favourites, even] = [evenBets(40, 40, 0.95), evenBets(40, 22)].map((bets) =>
    estimateSkill(evidenceOf(bets), aPopulation),
  );
  // 100 dollars at 0.95 are shares of no whole number of millionths.
  expect(favourites?.rawPoints).toBeCloseTo(5, 6);
  expect(even?.rawPoints).toBeCloseTo(5, 9);
  // The population's mean is -0.02 * 0.0475 at 0.95, and -0.02 * 0.25 at 0.50.
  const moves = [(favourites?.expectedPoints ?? 0) + 0.095, (even?.expectedPoints ?? 0) + 0.5];
  expect(moves[0]).toBeLessThan((moves[1] ?? 0) / 3);
  expect(moves[0]).toBeGreaterThan(0);
});

test("bets at 0 and 1 contribute no edge, and every number stays finite", () => {
  const sure = [0, 1].flatMap((price) =>
    evenBets(20, 20, price).map((bet) => ({ ...bet, cluster: `${price}${bet.cluster}` })),
  );
  expect(rawEdge(evidenceOf(sure), aPopulation)).toBeNull();
  const figures = Object.values(estimateSkill(evidenceOf(sure), aPopulation)).filter((value) => value !== null);
  expect(figures.every(Number.isFinite)).toBe(true);
});
