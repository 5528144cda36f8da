import { expect, test } from "vitest";
import { evidenceOf, type SkillEvidence } from "../../../../src/scoring/skill/evidence.ts";
import { estimatePopulation } from "../../../../src/scoring/skill/population.ts";
import { evenBets } from "./skill-cases.ts";

const CLUSTERS = 30;

/** Traders with thirty bets of a hundred dollars at even odds each, and this many wins. */
const tradersWithWins = (wins: readonly number[]): SkillEvidence[] =>
  wins.map((won) => evidenceOf(evenBets(CLUSTERS, won)));

/**
 * The documented formula, implemented independently. Equal traders have equal weights, so the weights cancel
 * out.
 */
function byHand(wins: readonly number[]): { mean: number; variance: number; significance: number } {
  // A cluster at 0.50 has v 0.25 and x 0.5 or -0.5.
  const D = CLUSTERS * 0.25;
  const edges = wins.map((won) => won - CLUSTERS / 2);
  const draw = (observed: number, squaredError: number, believed: number, deviation: number) => {
    const k = squaredError / (squaredError + deviation ** 2);
    return (1 - k) * observed + k * believed;
  };
  const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const errorOf = (values: readonly number[], middle: number) =>
    average(values.map((value) => (value - middle) ** 2)) / values.length;
  const r = edges.map((edge) => edge / D);
  const mean = draw(average(r), errorOf(r, average(r)), -0.02, 0.02);
  const own = edges.map((edge, index) => {
    const won = wins[index] ?? 0;
    const squares = won * (0.5 - mean * 0.25) ** 2 + (CLUSTERS - won) * (-0.5 - mean * 0.25) ** 2;
    return ((edge - mean * D) ** 2 - squares) / (D ** 2 - CLUSTERS * 0.25 ** 2);
  });
  // The products less their weights' common factor: significance does not depend on it.
  const significance = (mu: number) => {
    const products = wins.map((won) => {
      const values = Array.from({ length: CLUSTERS }, (_, n) => (n < won ? 0.5 : -0.5) - mu * 0.25);
      return values.reduce(
        (sum, one, i) => sum + values.reduce((part, other, j) => part + (i === j ? 0 : one * other), 0),
        0,
      );
    });
    return products.reduce((sum, one) => sum + one, 0) / Math.hypot(...products);
  };
  const variance = Math.max(0, draw(average(own), errorOf(own, average(own)), 0.01, 0.01));
  return { mean, variance, significance: significance(Number(mean.toFixed(6))) };
}

test("mean and variance of a small population are shrunk toward the documented priors, and its significance is that of all pairs", () => {
  for (const wins of [
    Array.from({ length: 100 }, (_, n) => 9 + (n % 13)),
    Array.from({ length: 200 }, (_, n) => (n < 10 ? 27 : 12 + (n % 7))),
    Array.from({ length: 150 }, () => 15),
  ]) {
    const estimate = estimatePopulation(tradersWithWins(wins));
    const expected = byHand(wins);
    expect(estimate?.mean).toBeCloseTo(expected.mean, 5);
    expect(estimate?.variance).toBeCloseTo(Math.max(1e-6, expected.variance), 5);
    expect(estimate?.significance).toBeCloseTo(expected.significance, 2);
  }
});
