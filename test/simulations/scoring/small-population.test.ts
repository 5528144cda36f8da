import { expect, test } from "vitest";
import { SimulatedEvents } from "../../../scripts/provider/simulate/simulated-events.ts";
import { listSimulatedWallets } from "../../../scripts/provider/simulate/wallets.ts";
import { evidenceOf } from "../../../src/scoring/skill/evidence.ts";
import { gradeOf } from "../../../src/scoring/skill/grade.ts";
import { estimatePopulation } from "../../../src/scoring/skill/population.ts";
import type { SettledBet } from "../../../src/scoring/skill/settled-bet.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

/** The settled buys of every trader of a simulated fortnight, with the trader's archetype. */
function aSimulatedFortnight(seed: number) {
  const wallets = listSimulatedWallets(seed);
  const kinds = new Map(wallets.map(({ profile, archetype }) => [profile.address, archetype]));
  const bets = new Map<string, SettledBet[]>();
  for (const { type, side, market, outcomeIndex, wallet, size, price } of new SimulatedEvents(seed, wallets, () => NOW)
    .movements.all) {
    if (type !== "TRADE" || side !== "BUY" || market === null || outcomeIndex === null) continue;
    if (market.resolution === null || market.resolution.atMs > NOW) continue;
    const payout = (market.resolution.payoutsPpm[outcomeIndex] ?? 0) / 1e6;
    const own = bets.get(wallet.address) ?? [];
    own.push({ cluster: market.event.slug, price, usd: size * price, payout });
    bets.set(wallet.address, own);
  }
  return [...bets].map(([address, own]) => ({ kind: kinds.get(address), evidence: evidenceOf(own) }));
}

test("unskilled traders of a small population are not graded as skilled because of a few skilled others", () => {
  const counts = { noise: { graded: 0, best: 0 }, skilled: { graded: 0, best: 0 } };
  for (const seed of [1, 2, 3]) {
    const wallets = aSimulatedFortnight(seed);
    const population = estimatePopulation(wallets.map(({ evidence }) => evidence));
    expect(population?.traders).toBeLessThan(500);
    for (const { kind, evidence } of wallets) {
      const { grade } = gradeOf(evidence, population);
      if (grade === null || (kind !== "noise" && kind !== "skilled")) continue;
      counts[kind].graded += 1;
      counts[kind].best += grade === "S" ? 1 : 0;
    }
  }
  // Nearly all traders with the best grade should have earned it: there are twelve noise traders per skilled
  // one.
  expect(counts.noise.best / counts.noise.graded).toBeLessThan(0.02);
  expect(counts.skilled.best).toBeGreaterThan(5 * counts.noise.best);
});
