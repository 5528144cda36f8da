import { describe, expect, test } from "vitest";
import { evidenceOf, type SkillEvidence } from "../../../../src/scoring/skill/evidence.ts";
import { gradeOf, isRecentDecisive } from "../../../../src/scoring/skill/grade.ts";
import type { Letter } from "../../../../src/scoring/skill/letter.ts";
import type { SettledBet } from "../../../../src/scoring/skill/settled-bet.ts";
import { aPopulation, evenBets } from "./skill-cases.ts";

/** Even bets under names of their own. */
const named = (name: string, bets: readonly SettledBet[]): SettledBet[] =>
  bets.map((bet) => ({ ...bet, cluster: `${name} ${bet.cluster}`, market: `${name} ${bet.market}` }));

const letter = (past: readonly SettledBet[], recent: readonly SettledBet[], previous: Letter | null) =>
  gradeOf(evidenceOf([...past, ...recent]), aPopulation, evidenceOf(recent), previous).grade;

/** 400 of 600 won at even odds: four standard errors above the population, and then some. */
const STRONG = named("past", evenBets(600, 400));
const PREVIOUS = [null, "S"] as const;

describe.each(PREVIOUS)("a trader whose strong record ended ninety days ago, with the letter %s before", (previous) => {
  test("has no S once it trades on without edge", () => {
    for (const bets of [20, 60, 200]) {
      const recent = named("recent", evenBets(bets, bets / 2));
      // The record as a whole would still be an S.
      expect(gradeOf(evidenceOf([...STRONG, ...recent]), aPopulation, evidenceOf(STRONG), previous).grade).toBe("S");
      expect(letter(STRONG, recent, previous)).not.toBe("S");
    }
  });

  test("has neither S nor A once it stops trading", () => {
    expect(gradeOf(evidenceOf(STRONG), aPopulation, null, previous).grade).toBe("B");
    expect(letter(STRONG, [], previous)).toBe("B");
  });

  test("has neither S nor A where nothing is at stake in what it trades", () => {
    const hedges = named("recent", evenBets(50, 25)).flatMap((bet) => [
      bet,
      { ...bet, outcome: 1, payout: 1 - bet.payout },
    ]);
    expect(evidenceOf(hedges)).toMatchObject({ bets: 100, clusters: 0 });
    expect(letter(STRONG, hedges, previous)).toBe("B");
  });

  test("keeps its S while its recent bets are as good as those before", () => {
    for (const bets of [30, 60, 150])
      expect(letter(STRONG, named("recent", evenBets(bets, (bets * 2) / 3)), previous)).toBe("S");
  });
});

// Precisions of the first test of the estimate: 40 bets at even odds with 24 won have a posterior mean of 0.01854117 and a
// deviation of 0.09530161, so a probability of Φ(0.194552) = 57.71 %.
test("the recent forecast score is that of the recent evidence alone", () => {
  const recent = evidenceOf(named("recent", evenBets(40, 24)));
  const { components } = gradeOf(evidenceOf(STRONG), aPopulation, recent);
  expect(components?.recentForecastScore).toBeCloseTo(57.71, 2);
});

test("recent evidence never changes a score, and never improves a letter", () => {
  const LETTERS = ["S", "A", "B", "C", "D", "F"];
  for (const won of [200, 300, 310, 320, 340, 400]) {
    const evidence = evidenceOf(evenBets(600, won));
    const best = gradeOf(evidence, aPopulation, evidence);
    const grades = [null, ...[0, 10, 20, 30].map((n) => evidenceOf(evenBets(30, n)))].map((recent) =>
      gradeOf(evidence, aPopulation, recent),
    );
    for (const { grade, score, forecastScore, forecastEvidence } of grades) {
      expect({ score, forecastScore, forecastEvidence }).toEqual({
        score: best.score,
        forecastScore: best.forecastScore,
        forecastEvidence: best.forecastEvidence,
      });
      // Not below B, whatever is recent.
      const expected = best.grade === "S" || best.grade === "A" ? "B" : best.grade;
      expect(LETTERS.indexOf(grade ?? "")).toBeLessThanOrEqual(LETTERS.indexOf(expected ?? ""));
      expect(LETTERS.indexOf(grade ?? "")).toBeGreaterThanOrEqual(LETTERS.indexOf(best.grade ?? ""));
    }
  }
});

test("where recent evidence is not decisive it does not change the letter", () => {
  const cases = ([null, "S", "A", "B", "C"] as const).flatMap((previous) =>
    Array.from({ length: 121 }, (_, won) => ({ previous, evidence: evidenceOf(evenBets(120, won)) })),
  );
  const others = cases.filter(({ evidence, previous }) => !isRecentDecisive(evidence, aPopulation, previous));
  for (const { evidence, previous } of others) {
    const grades = [null, ...[0, 15, 30].map((n): SkillEvidence | null => evidenceOf(evenBets(30, n)))].map(
      (recent) => gradeOf(evidence, aPopulation, recent, previous).grade,
    );
    expect(new Set(grades).size).toBe(1);
  }
  expect(others.length).toBeGreaterThan(200);
  expect(cases.length - others.length).toBeGreaterThan(20);
});
