import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "../../../../scripts/provider/simulate/random.ts";
import { closingEdge } from "../../../../src/scoring/skill/closing-edge.ts";
import { estimateSkill } from "../../../../src/scoring/skill/estimate-skill.ts";
import { evidenceOf, type SkillEvidence } from "../../../../src/scoring/skill/evidence.ts";
import { estimatePopulation } from "../../../../src/scoring/skill/population.ts";
import { rawEdge } from "../../../../src/scoring/skill/raw-edge.ts";
import type { SettledBet } from "../../../../src/scoring/skill/settled-bet.ts";
import { aSettledBet } from "../../../support/a-settled-bet.ts";
import { aClosing, aPopulation, evenBets } from "./skill-cases.ts";

/** Even bets of 100 dollars that close at a price of their own. */
const closedBets = (closes: readonly number[], won: number): SettledBet[] =>
  evenBets(closes.length, won).map((bet, index) => ({ ...bet, close: closes[index] ?? 0 }));

const FORTY = Array.from({ length: 40 }, (_, index) => (index < 24 ? 0.56 : 0.48));
const POPULATION = { ...aPopulation, closing: aClosing };

// Computed by hand: 40 clusters at 0.50, 24 that close at 0.56 and win, 16 that close at 0.48 and lose. y: 24*0.06 - 16*0.02 =
// 1.12, information 10, so the closing edge is 0.112. Trust 2/3. Deviations from 0.112*0.25 = 0.028: 0.032 (24) and -0.048
// (16): 0.024576 + 0.036864 = 0.06144, times 40/39 = 0.0630154. Blend: 10*0.2/3 + 2/3*0.0630154 = 0.7086769; squared error
// 0.007086769. Products with 0.4 and -0.6: 24*0.4*0.032 + 16*0.6*0.048 = 0.768, times 40/39 = 0.7876923. Blend: 10*0.18/3 +
// 2/3*0.7876923 = 1.1251282, covariance 0.011251282.
test("the closing edge and what its luck shares with that of results follow from clusters and prices", () => {
  const evidence = evidenceOf(closedBets(FORTY, 24));
  const raw = rawEdge(evidence, aPopulation);
  if (raw === null) throw new Error("no edge");
  const close = closingEdge(evidence, raw, aClosing);
  expect(close?.value).toBeCloseTo(0.112, 9);
  expect(close?.squaredError).toBeCloseTo(0.007086769, 8);
  expect(close?.covariance).toBeCloseTo(0.011251282, 8);
});

test.each([
  ["one cluster", 1, 0.5],
  ["four clusters at 0.98", 4, 0.98],
])("closing lines of %s do not count", (_, clusters, price) => {
  const bets = Array.from({ length: 40 }, (_unused, index) => ({
    ...aSettledBet({ cluster: `c${index}`, price: index < clusters ? price : 0.5, usd: 100, payout: 1 }),
    ...(index < clusters ? { close: 0.99 } : {}),
  }));
  const without = bets.map(({ close: _close, ...bet }) => bet);
  expect(estimateSkill(evidenceOf(bets), POPULATION)).toEqual(estimateSkill(evidenceOf(without), POPULATION));
});

/** The posterior mean and variance of skill, by summing the joint density over a grid of skill and closing edge. */
function integrate(evidence: SkillEvidence) {
  const raw = rawEdge(evidence, POPULATION);
  const close = raw === null ? null : closingEdge(evidence, raw, aClosing);
  if (raw === null || close === null) throw new Error("no record");
  const density = (x: number, y: number, xx: number, xy: number, yy: number) =>
    Math.exp(-(x * x * yy - 2 * x * y * xy + y * y * xx) / (2 * (xx * yy - xy * xy)));
  let [total, first, second] = [0, 0, 0];
  const steps = 400;
  for (let i = -steps; i <= steps; i += 1)
    for (let j = -steps; j <= steps; j += 1) {
      const skill = POPULATION.mean + (i / steps) * 6 * Math.sqrt(POPULATION.variance);
      const line = aClosing.mean + (j / steps) * 6 * Math.sqrt(aClosing.variance);
      const prior = density(
        skill - POPULATION.mean,
        line - aClosing.mean,
        ...([POPULATION.variance, aClosing.covariance, aClosing.variance] as const),
      );
      const luck = [raw.squaredError, close.covariance, close.squaredError] as const;
      const mass = prior * density(raw.value - skill, close.value - line, ...luck);
      total += mass;
      first += mass * skill;
      second += mass * skill * skill;
    }
  const mean = first / total;
  return { mean, variance: second / total - mean * mean };
}

test.each([
  ["good closes and results", FORTY, 24],
  ["good closes and bad results", FORTY, 14],
  ["bad closes and good results", FORTY.map((close) => 1 - close), 26],
] as const)("the estimate is the mean and deviation of the joint distribution: %s", (_, closes, won) => {
  const evidence = evidenceOf(closedBets(closes, won));
  const expected = integrate(evidence);
  const estimate = estimateSkill(evidence, POPULATION);
  // Points are 100 * skill * 0.25.
  expect(estimate.expectedPoints).toBeCloseTo(25 * expected.mean, 4);
  expect(estimate.deviationPoints).toBeCloseTo(25 * Math.sqrt(expected.variance), 4);
  expect(estimate.ownShare).toBeCloseTo(1 - expected.variance / POPULATION.variance, 4);
});

test("better closes raise the estimate, and say more than the same results alone", () => {
  const estimates = [0.48, 0.5, 0.52, 0.54].map((close) =>
    estimateSkill(
      evidenceOf(
        closedBets(
          Array.from({ length: 40 }, (_, index) => close + (index % 2) / 100),
          20,
        ),
      ),
      POPULATION,
    ),
  );
  const points = estimates.map(({ expectedPoints }) => expectedPoints);
  expect(points).toEqual(points.toSorted((a, b) => a - b));
  const alone = estimateSkill(evidenceOf(evenBets(40, 20)), POPULATION);
  for (const { ownShare } of estimates) expect(ownShare).toBeGreaterThan(alone.ownShare);
});

test("where closing lines do not go with skill, they only tell luck from skill in the results", () => {
  const closing = { ...aClosing, covariance: 0, crossDispersion: 0 };
  const evidence = { ...evidenceOf(closedBets(FORTY, 24)) };
  // Products of the trader's own clusters of zero: no shared luck.
  const unrelated = {
    ...evidence,
    crossEdgeEdge: 0,
    crossEdgeVariance: 0,
    crossVarianceEdge: 0,
    crossVarianceVariance: 0,
  };
  const estimate = estimateSkill(unrelated, { ...aPopulation, closing });
  const alone = estimateSkill(evidence, aPopulation);
  expect(estimate.expectedPoints).toBeCloseTo(alone.expectedPoints, 9);
  expect(estimate.deviationPoints).toBeCloseTo(alone.deviationPoints, 9);
});

test("a close that is the result itself leaves the estimate finite, and not certain", () => {
  const evidence = evidenceOf(evenBets(40, 24).map((bet) => ({ ...bet, close: bet.payout })));
  const raw = rawEdge(evidence, aPopulation);
  if (raw === null) throw new Error("no edge");
  const close = closingEdge(evidence, raw, { ...aClosing, dispersion: 1, crossDispersion: 1 });
  // The luck is the same: a correlation of 1, of which 0.95 is used.
  expect(close?.covariance).toBeCloseTo(0.95 * raw.squaredError, 9);
  const estimate = estimateSkill(evidence, {
    ...POPULATION,
    closing: { ...aClosing, dispersion: 1, crossDispersion: 1 },
  });
  expect(estimate.deviationPoints).toBeGreaterThan(0.5);
});

/** Traders whose closes contain `share` of their edge, of even bets. */
function draw(share: number, noise: number, count = 3_000) {
  const random = createRandom(11, `${share} ${noise}`);
  return Array.from({ length: count }, () => {
    const edge = 0.2 * random.normal();
    const bets = Array.from({ length: random.integer(12, 60) }, (_, index) => {
      const close = 0.5 + share * 0.25 * edge + noise * random.normal();
      const payout = random.chance(Math.min(1, Math.max(0, close + (1 - share) * 0.25 * edge))) ? 1 : 0;
      return { ...aSettledBet({ cluster: `c${index}`, price: 0.5, usd: 100, payout }), close };
    });
    return { edge, bets };
  });
}

test("the population's closing moments are recovered from random draws", () => {
  const closing = estimatePopulation(draw(0.5, 0.1).map(({ bets }) => evidenceOf(bets)))?.closing;
  // Closing edge is half the skill, whose variance is 0.04. A close varies by 0.01, a result by 0.25.
  expect(closing?.variance).toBeCloseTo(0.01, 3);
  expect(closing?.covariance).toBeCloseTo(0.02, 2);
  expect(Math.abs((closing?.covariance ?? 0) - 0.02)).toBeLessThan(0.003);
  expect(closing?.dispersion).toBeCloseTo(0.04, 2);
  expect(closing?.crossDispersion).toBeCloseTo(0.04, 2);
  expect(Math.abs(closing?.mean ?? 1)).toBeLessThan(0.01);
});

test("the covariance that is used never says that skill is the closing line", () => {
  const evidences = draw(1, 0).map(({ bets }) => evidenceOf(bets));
  const ratios = [150, 300, 600, 900, 1_200, 1_500, 3_000].map((count) => {
    const { variance = 0, closing } = estimatePopulation(evidences.slice(-count)) ?? {};
    return (closing?.covariance ?? 0) / Math.sqrt(variance * (closing?.variance ?? 0));
  });
  expect(Math.max(...ratios)).toBeLessThanOrEqual(0.99);
  expect(Math.max(...ratios)).toBeCloseTo(0.99, 3);
});

test("closing lines without relation to results have almost no covariance with skill", () => {
  const closing = estimatePopulation(draw(0, 0.1).map(({ bets }) => evidenceOf(bets)))?.closing;
  expect(Math.abs(closing?.covariance ?? 1)).toBeLessThan(0.001);
});

test("closing lines bring the estimate nearer to the true skill", () => {
  const traders = draw(0.6, 0.08);
  const evidences = traders.map(({ bets }) => evidenceOf(bets));
  const population = estimatePopulation(evidences);
  if (population === null) throw new Error("no population");
  const errorWith = (closing: typeof population.closing) =>
    traders.reduce(
      (sum, { edge }, index) =>
        sum +
        (estimateSkill(evidences[index] ?? evidenceOf([]), { ...population, closing }).expectedPoints - 25 * edge) ** 2,
      0,
    );
  expect(errorWith(population.closing)).toBeLessThan(0.7 * errorWith(null));
});

// The sums over pairs of different clusters, each pair by itself.
test("fewer than a hundred traders with closing lines have no closing population, and its order does not matter", () => {
  const evidences = draw(0.5, 0.1, 130).map(({ bets }) => evidenceOf(bets));
  const withoutCloses = evidenceOf(evenBets(20, 10));
  const some = [...evidences.slice(0, 99), ...Array.from({ length: 50 }, () => withoutCloses)];
  expect(estimatePopulation(some)?.closing).toBeNull();
  // Traders with the same results are in a fixed order too.
  const random = createRandom(5, "closes");
  const closes = () => Array.from({ length: 20 }, () => 0.5 + random.normal() / 50);
  evidences.push(...Array.from({ length: 60 }, () => evidenceOf(closedBets(closes(), 10))));
  const expected = estimatePopulation(evidences);
  expect(expected?.closing).not.toBeNull();
  fc.assert(
    fc.property(fc.shuffledSubarray(evidences, { minLength: evidences.length }), (shuffled) => {
      expect(estimatePopulation(shuffled)).toEqual(expected);
    }),
    { numRuns: 3 },
  );
});
