import { expect, test } from "vitest";
import { listFirstRecords, measureBoard } from "../../../scripts/study/worlds/measure-board.ts";
import { evidenceOf } from "../../../src/scoring/skill/evidence.ts";
import { gradeOf } from "../../../src/scoring/skill/grade.ts";
import { estimatePopulation } from "../../../src/scoring/skill/population.ts";

test("unskilled traders of a small population are not graded as skilled because of a few skilled others", () => {
  const counts = { noise: { graded: 0, best: 0 }, skilled: { graded: 0, best: 0 } };
  for (const seed of [1, 2, 3]) {
    const wallets = listFirstRecords(seed).map(({ kind, bets, recentBets }) => ({
      kind,
      evidence: evidenceOf(bets),
      recent: evidenceOf(recentBets),
    }));
    const population = estimatePopulation(wallets.map(({ evidence }) => evidence));
    expect(population?.traders).toBeLessThan(500);
    for (const { kind, evidence, recent } of wallets) {
      const { grade } = gradeOf(evidence, population, recent);
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

test("on a fresh start several traders graded S, A or B have large trades, and most of them are skilled", () => {
  const boards = [1, 2, 3].map(measureBoard);
  for (const { traders } of boards) {
    const upper = traders.filter(({ letter }) => letter === "S" || letter === "A" || letter === "B");
    expect(upper.filter(({ largeTrades }) => largeTrades > 0).length).toBeGreaterThanOrEqual(5);
  }
  const all = boards.flatMap(({ traders }) => traders).filter(({ letter }) => "SAB".includes(letter));
  expect(all.filter(({ kind }) => kind === "skilled").length / all.length).toBeGreaterThan(0.5);
});
