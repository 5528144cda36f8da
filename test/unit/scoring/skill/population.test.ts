import fc from "fast-check";
import { expect, test } from "vitest";
import { evidenceOf } from "../../../../src/scoring/skill/evidence.ts";
import { estimatePopulation } from "../../../../src/scoring/skill/population.ts";
import { createRandom } from "../../../../scripts/provider/simulate/random.ts";
import { evenBets } from "./skill-cases.ts";
import { sized } from "../../../support/sized.ts";

test("a population of fewer than a hundred traders above the minimums is unknown", () => {
  const enough = evidenceOf(evenBets(20, 10));
  const tooLittle = evidenceOf(evenBets(9, 5));
  expect(estimatePopulation([...Array.from({ length: 99 }, () => enough), tooLittle])).toBeNull();
  expect(estimatePopulation(Array.from({ length: 100 }, () => enough))?.traders).toBe(100);
});

// Bets at 0.50: a relative edge d means a win probability of 0.5 + 0.25 d.
const draw = (deviation: number, mean: number) => {
  const random = createRandom(7, deviation);
  return Array.from({ length: 4000 }, () => {
    const edge = mean + deviation * random.normal();
    const clusters = random.integer(12, 120);
    return evidenceOf(
      evenBets(clusters, Array.from({ length: clusters }).filter(() => random.chance(0.5 + 0.25 * edge)).length),
    );
  });
};

test("the population's mean and variance of skill are recovered from random draws", () => {
  const estimate = estimatePopulation(draw(0.2, -0.05));
  expect(estimate?.mean).toBeCloseTo(-0.05, 1);
  expect(Math.abs((estimate?.mean ?? 0) + 0.05)).toBeLessThan(0.015);
  expect(Math.sqrt(estimate?.variance ?? 0)).toBeGreaterThan(0.18);
  expect(Math.sqrt(estimate?.variance ?? 0)).toBeLessThan(0.22);
  expect(estimate?.dispersion).toBeCloseTo(1, 1);
  expect(estimate?.typicalVariance).toBe(0.25);
});

test("significance is a few units at most where traders have the same skill, and large where they differ", () => {
  // Normal with a deviation of 1 in the first case.
  for (const mean of [-0.2, -0.1, 0, 0.1, 0.2])
    expect(Math.abs(estimatePopulation(draw(0, mean))?.significance ?? 99)).toBeLessThan(3.5);
  expect(estimatePopulation(draw(0.1, 0))?.significance).toBeGreaterThan(5);
});

test("a population of equally skilled traders has almost no variance", () => {
  expect(Math.sqrt(estimatePopulation(draw(0, 0))?.variance ?? 1)).toBeLessThan(0.05);
});

test("the population does not depend on the order of traders", () => {
  const wallets = draw(0.2, 0).slice(0, 150);
  const expected = estimatePopulation(wallets);
  fc.assert(
    fc.property(fc.shuffledSubarray(wallets, { minLength: wallets.length }), (shuffled) => {
      expect(estimatePopulation(shuffled)).toEqual(expected);
    }),
    { numRuns: sized({ short: 3, full: 10 }) },
  );
});
