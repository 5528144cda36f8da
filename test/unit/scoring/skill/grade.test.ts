import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalGradeInput } from "../../../../src/scoring/skill/canonical-input.ts";
import { evidenceOf, NO_EVIDENCE } from "../../../../src/scoring/skill/evidence.ts";
import { gradeOf, scoreOfPoints } from "../../../../src/scoring/skill/grade.ts";
import { isRepublished } from "../../../../src/scoring/skill/is-republished.ts";
import { normalCdf } from "../../../../src/scoring/skill/normal-cdf.ts";
import { METHOD_VERSION } from "../../../../src/scoring/skill/parameters.ts";
import { aClosing, anyBet, evenBets, aPopulation } from "./skill-cases.ts";

test("there is no grade without a population, and the reason says so", () => {
  expect(gradeOf(evidenceOf(evenBets(40, 24)), null, null)).toEqual({
    score: null,
    grade: null,
    reason: "population_unknown",
    forecastScore: null,
    forecastEvidence: null,
    components: null,
  });
});

test("a grade needs ten clusters with enough information", () => {
  expect(gradeOf(evidenceOf(evenBets(9, 5)), aPopulation, null)).toMatchObject({
    grade: null,
    score: null,
    reason: "too_few_markets",
  });
  expect(gradeOf(evidenceOf(evenBets(10, 5)), aPopulation, null)).toMatchObject({
    grade: expect.any(String),
    reason: null,
  });
  expect(gradeOf(evidenceOf(evenBets(10, 10, 0.97)), aPopulation, null)).toMatchObject({
    grade: null,
    reason: "too_little_information",
  });
});

test("ten thousand bets of a cent in as many markets give no grade", () => {
  const dust = evenBets(10_000, 6_000).map((bet) => ({ ...bet, usd: 0.01, shares: 0.02 }));
  expect(gradeOf(evidenceOf(dust), aPopulation, null)).toMatchObject({ grade: null, reason: "too_little_information" });
});

// 100 / (1 + exp(-points)): 1 point 73.1059, -1 point 26.8941, 0.5 points 62.2459.
test("the score is the logistic function of the expected points, rounded to two decimals", () => {
  expect([1, -1, 0.5, 0].map(scoreOfPoints)).toEqual([73.11, 26.89, 62.25, 50]);
});

test("one more win never lowers the score", () => {
  const scores = Array.from(
    { length: 61 },
    (_, won) => gradeOf(evidenceOf(evenBets(60, won)), aPopulation, null).score ?? Number.NaN,
  );
  expect(scores).toEqual(scores.toSorted((a, b) => a - b));
});

test("the numbers of a grade are finite without negative zero, for any bets", () => {
  fc.assert(
    fc.property(fc.array(anyBet, { maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (bets, copies) => {
      const many = bets.flatMap((bet) =>
        Array.from({ length: copies }, (_, copy) => ({
          ...bet,
          cluster: `${bet.cluster}${copy}`,
          market: `${bet.market}${copy}`,
        })),
      );
      const evidence = evidenceOf(many);
      const { components, ...grade } = gradeOf(evidence, { ...aPopulation, closing: aClosing }, evidence);
      for (const value of [...Object.values(grade), ...Object.values(components ?? {})]) {
        if (typeof value !== "number") continue;
        expect(Number.isFinite(value)).toBe(true);
        expect(Object.is(value, -0)).toBe(false);
      }
    }),
  );
});

test("the normal distribution function matches published values", () => {
  // Abramowitz and Stegun, table 26.1.
  expect(normalCdf(0)).toBeCloseTo(0.5, 6);
  expect(normalCdf(1)).toBeCloseTo(0.8413447461, 6);
  expect(normalCdf(-1.96)).toBeCloseTo(0.0249978951, 6);
  expect(normalCdf(3)).toBeCloseTo(0.998650102, 6);
});

test("the canonical grade input contains method, evidence, population and recent evidence, and differs when any of them differs", () => {
  const evidence = evidenceOf(evenBets(2, 1));
  expect(canonicalGradeInput(evidence, aPopulation, null, null)).toBe(
    `method ${METHOD_VERSION}\nbets 2\nclusters 2\nweight 2000000000\nedge 0\ninformation 500000000\nsquare_information 500000000\n` +
      "edge_edge 500000000\nedge_variance 0\nvariance_variance 125000000\n" +
      "close_clusters 0\nclose_edge 0\nclose_information 0\nclose_square_information 0\nclose_edge_edge 0\nclose_edge_variance 0\nclose_variance_variance 0\ncross_edge_edge 0\ncross_edge_variance 0\ncross_variance_edge 0\ncross_variance_variance 0\nstory_edge_edge 0\nstory_edge_variance 0\nstory_variance_variance 0\nstory_information 0\n" +
      "population_wallets 1000\npopulation_mean -0.02\n" +
      "population_variance 0.01\npopulation_dispersion 1\npopulation_typical_variance 0.14\npopulation_significance 5\n" +
      "population_close_mean none\npopulation_close_variance none\npopulation_close_covariance none\npopulation_close_significance none\npopulation_close_dispersion none\npopulation_cross_dispersion none\npopulation_story_correlation 0\n" +
      "recent none\nprevious_grade none\n",
  );
  const texts = [
    canonicalGradeInput(evidence, aPopulation, null, null),
    canonicalGradeInput(evidence, null, null, null),
    canonicalGradeInput(evidence, aPopulation, null, "B"),
    canonicalGradeInput(NO_EVIDENCE, aPopulation, null, null),
    ...(
      ["traders", "mean", "variance", "dispersion", "storyCorrelation", "typicalVariance", "significance"] as const
    ).map((name) => canonicalGradeInput(evidence, { ...aPopulation, [name]: 7 }, null, null)),
    canonicalGradeInput(evidence, { ...aPopulation, closing: aClosing }, null, null),
    ...(["mean", "variance", "covariance", "significance", "dispersion", "crossDispersion"] as const).map((name) =>
      canonicalGradeInput(evidence, { ...aPopulation, closing: { ...aClosing, [name]: 7 } }, null, null),
    ),
    ...Object.keys(evidence).map((name) => canonicalGradeInput({ ...evidence, [name]: 77 }, aPopulation, null, null)),
    canonicalGradeInput(evidence, aPopulation, NO_EVIDENCE, null),
    ...Object.keys(evidence).map((name) =>
      canonicalGradeInput(evidence, aPopulation, { ...NO_EVIDENCE, [name]: 77 }, null),
    ),
  ];
  expect(new Set(texts).size).toBe(texts.length);
});

const published = { score: 50, grade: "C", forecastScore: 50, forecastEvidence: 0.3, reason: null } as const;

test.each([
  ["the same grade", {}, false],
  ["a score moved by 0.49", { score: 50.49 }, false],
  ["a score moved by 0.5", { score: 50.5 }, true],
  ["a score moved down by 0.5", { score: 49.5 }, true],
  ["a forecast moved by 0.5", { forecastScore: 49.5 }, true],
  ["another letter", { grade: "B" }, true],
  ["evidence moved by 0.04", { forecastEvidence: 0.34 }, false],
  ["evidence moved by 0.05", { forecastEvidence: 0.35 }, true],
  ["a missing score", { score: null }, true],
  ["missing evidence", { forecastEvidence: null }, true],
  ["another reason without a letter", { reason: "too_little_information" }, true],
] as const)("%s, changed by %o, is published again: %s", (_, change, expected) => {
  expect(isRepublished(published, { ...published, ...change })).toBe(expected);
});

test("the first grade of a trader is published", () => {
  expect(
    isRepublished(null, {
      score: null,
      grade: null,
      forecastScore: null,
      forecastEvidence: null,
      reason: "population_unknown",
    }),
  ).toBe(true);
});
