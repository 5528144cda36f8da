import { expect, test } from "vitest";
import { createRandom, type Random } from "../../../../scripts/provider/simulate/random.ts";
import { evidenceOf } from "../../../../src/scoring/skill/evidence.ts";
import { estimatePopulation } from "../../../../src/scoring/skill/population.ts";
import { evenBets } from "./skill-cases.ts";

const NIGHTS = 8;
const EVENTS = 4;

/** Whether a trader wins, by night and event. */
type Wins = readonly (readonly boolean[])[];

/** Wins of a trader whose events of one night share a part of their luck, as a normal variable with this correlation. */
const winsOf = (random: Random, correlation: number, edge: number): Wins =>
  Array.from({ length: NIGHTS }, () => {
    const night = random.normal();
    // The slope of the normal distribution at its middle: at even odds a relative edge d wins with 0.5 + 0.25 d.
    const bar = 0.25 * edge * Math.sqrt(2 * Math.PI);
    return Array.from(
      { length: EVENTS },
      () => Math.sqrt(correlation) * night + Math.sqrt(1 - correlation) * random.normal() < bar,
    );
  });

const toEvidence = (wins: Wins) =>
  evidenceOf(
    wins.flatMap((events, night) =>
      events.flatMap((hasWon, event) =>
        evenBets(1, hasWon ? 1 : 0).map((bet) => {
          const cluster = `${night} ${event}`;
          return { ...bet, cluster, market: cluster, story: `${night}` };
        }),
      ),
    ),
  );

const draw = (traders: number, correlation: number, deviation: number): readonly Wins[] => {
  const random = createRandom(11, "nights");
  return Array.from({ length: traders }, () => winsOf(random, correlation, deviation * random.normal()));
};

// The correlation of two signs of normal variables with correlation r is 2/pi asin(r): 1/3 for 0.5 (Sheppard 1899).
test("the story correlation and the variance of skill are recovered from draws whose nights share luck", () => {
  const population = estimatePopulation(draw(3000, 0.5, 0.2).map(toEvidence));
  expect(Math.abs((population?.storyCorrelation ?? 0) - 1 / 3)).toBeLessThan(0.02);
  expect(Math.sqrt(population?.variance ?? 0)).toBeGreaterThan(0.15);
  expect(Math.sqrt(population?.variance ?? 0)).toBeLessThan(0.25);
});

test("skill that all events of a trader share is no story correlation", () => {
  const population = estimatePopulation(draw(3000, 0, 0.6).map(toEvidence));
  expect(population?.storyCorrelation).toBeLessThan(0.01);
  expect(population?.variance).toBeGreaterThan(0.05);
});

test("without two events of one story the story correlation is 0", () => {
  const alone = (wins: Wins) => evidenceOf(evenBets(NIGHTS * EVENTS, wins.flat().filter(Boolean).length));
  expect(estimatePopulation(draw(200, 0.5, 0.2).map(alone))?.storyCorrelation).toBe(0);
});

/**
 * The documented formula, implemented independently: pair by pair instead of by sums. All traders have the same nights, so
 * their weights cancel out, in the significance too.
 */
function byPairs(
  traders: readonly Wins[],
  { mean, dispersion }: { readonly mean: number; readonly dispersion: number },
) {
  // A cluster at 0.50 has v 0.25.
  const different = traders.map((wins) => meanProduct(wins, mean, (left, right) => left !== right));
  const skill = Math.max(0, average(different) / 0.25 ** 2);
  const own = traders.map(
    (wins) => (meanProduct(wins, mean, (left, right) => left === right) - skill * 0.25 ** 2) / (dispersion * 0.25),
  );
  const squaredError = average(own.map((value) => (value - average(own)) ** 2)) / own.length;
  const k = squaredError / (squaredError + 0.2 ** 2);
  return {
    storyCorrelation: Math.min(1, Math.max(0, (1 - k) * average(own))),
    significance: (average(different) * traders.length) / Math.hypot(...different),
  };
}

/** Of the deviations of two different bets of one trader, over the pairs whose nights are counted. */
function meanProduct(wins: Wins, mean: number, isCounted: (left: number, right: number) => boolean): number {
  const bets = wins.flatMap((events, night) => events.map((hasWon) => ({ night, hasWon })));
  return average(
    bets.flatMap((left, index) =>
      bets
        .filter((right, other) => index !== other && isCounted(left.night, right.night))
        .map((right) => [left, right].reduce((all, { hasWon }) => all * ((hasWon ? 0.5 : -0.5) - mean * 0.25), 1)),
    ),
  );
}

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

test("the story correlation of a small population is the documented mean over pairs, shrunk toward 0, and its significance is that of pairs of different stories", () => {
  for (const [traders, correlation] of [
    [100, 0.5],
    [150, 0.9],
    [300, 0.2],
  ] as const) {
    const wins = draw(traders, correlation, 0.3);
    const population = estimatePopulation(wins.map(toEvidence));
    if (population === null) throw new Error("no population");
    expect(population.storyCorrelation).toBeGreaterThan(0);
    const expected = byPairs(wins, population);
    expect(population.storyCorrelation).toBeCloseTo(expected.storyCorrelation, 5);
    expect(population.significance).toBeCloseTo(expected.significance, 2);
  }
});
