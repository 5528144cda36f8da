import { expect, test } from "vitest";
import { SimulatedEvents } from "../../../../scripts/provider/simulate/simulated-events.ts";
import { listSimulatedWallets } from "../../../../scripts/provider/simulate/wallets.ts";
import { evidenceOf, type SkillEvidence } from "../../../../src/scoring/skill/evidence.ts";
import { gradeOf } from "../../../../src/scoring/skill/grade.ts";
import { estimatePopulation } from "../../../../src/scoring/skill/population.ts";
import type { SettledBet } from "../../../../src/scoring/skill/settled-bet.ts";
import { evenBets } from "./cases.ts";

const CLUSTERS = 30;

/** Wallets with thirty bets of a hundred dollars at even odds each, that won so many of them. */
const walletsThatWon = (wins: readonly number[]): SkillEvidence[] => wins.map((won) => evidenceOf(evenBets(CLUSTERS, won)));

/** By the document, written once more. Equal wallets weigh the same, so that the weights fall out. */
function byHand(wins: readonly number[]): { mean: number; variance: number } {
  // A cluster at 0.50 has v 0.25 and x 0.5 or -0.5.
  const D = CLUSTERS * 0.25;
  const edges = wins.map((won) => won - CLUSTERS / 2);
  const draw = (observed: number, squaredError: number, believed: number, deviation: number) => {
    const k = squaredError / (squaredError + deviation ** 2);
    return (1 - k) * observed + k * believed;
  };
  const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const errorOf = (values: readonly number[], middle: number) => average(values.map((value) => (value - middle) ** 2)) / values.length;
  const r = edges.map((edge) => edge / D);
  const mean = draw(average(r), errorOf(r, average(r)), -0.02, 0.02);
  const own = edges.map((edge, place) => {
    const won = wins[place] ?? 0;
    const squares = won * (0.5 - mean * 0.25) ** 2 + (CLUSTERS - won) * (-0.5 - mean * 0.25) ** 2;
    return ((edge - mean * D) ** 2 - squares) / (D ** 2 - CLUSTERS * 0.25 ** 2);
  });
  return { mean, variance: Math.max(0, draw(average(own), errorOf(own, average(own)), 0.01, 0.01)) };
}

test("mean and variance are drawn toward what is believed beforehand, as the document says", () => {
  for (const wins of [
    Array.from({ length: 100 }, (_, n) => 9 + (n % 13)),
    Array.from({ length: 200 }, (_, n) => (n < 10 ? 27 : 12 + (n % 7))),
    Array.from({ length: 150 }, () => 15),
  ]) {
    const found = estimatePopulation(walletsThatWon(wins));
    const expected = byHand(wins);
    expect(found?.mean).toBeCloseTo(expected.mean, 5);
    expect(found?.variance).toBeCloseTo(Math.max(1e-6, expected.variance), 5);
  }
});

const NOW = Date.UTC(2026, 10, 21, 12);

/** The settled purchases of every wallet of a simulated fortnight, with what the wallet is. */
function aSimulatedFortnight(seed: number) {
  const wallets = listSimulatedWallets(seed);
  const kinds = new Map(wallets.map(({ profile, archetype }) => [profile.address, archetype]));
  const bets = new Map<string, SettledBet[]>();
  for (const { type, side, market, outcomeIndex, wallet, size, price } of new SimulatedEvents(seed, wallets, () => NOW).movements.all) {
    if (type !== "TRADE" || side !== "BUY" || market === null || outcomeIndex === null) continue;
    if (market.resolution === null || market.resolution.atMs > NOW) continue;
    const payout = (market.resolution.payoutsPpm[outcomeIndex] ?? 0) / 1e6;
    bets.set(wallet.address, [...(bets.get(wallet.address) ?? []), { cluster: market.event.slug, price, usd: size * price, payout }]);
  }
  return [...bets].map(([address, own]) => ({ kind: kinds.get(address), evidence: evidenceOf(own) }));
}

test("among a few hundred wallets, those that know nothing are not taken for skilled because a few others know much", () => {
  const counts = { noise: { graded: 0, best: 0 }, skilled: { graded: 0, best: 0 } };
  for (const seed of [1, 2, 3]) {
    const wallets = aSimulatedFortnight(seed);
    const population = estimatePopulation(wallets.map(({ evidence }) => evidence));
    expect(population?.wallets).toBeLessThan(500);
    for (const { kind, evidence } of wallets) {
      const { grade } = gradeOf(evidence, population);
      if (grade === null || (kind !== "noise" && kind !== "skilled")) continue;
      counts[kind].graded += 1;
      counts[kind].best += grade === "S" ? 1 : 0;
    }
  }
  // Nearly all who have the best letter should have earned it: there are twelve noise wallets to a skilled one.
  expect(counts.noise.best / counts.noise.graded).toBeLessThan(0.02);
  expect(counts.skilled.best).toBeGreaterThan(5 * counts.noise.best);
});
