import { expect, test } from "vitest";
import { runningScore, type FinalScore } from "../../../../scripts/provider/simulate/running-score.ts";
import { LEAGUES } from "../../../../scripts/provider/simulate/plan/topics.ts";
import { parseGameScore } from "../../../../src/domain/games/game-score.ts";

const league = (slug: string) => {
  const found = LEAGUES.find((one) => one.slug === slug);
  if (found === undefined) throw new Error(`there is no league ${slug}`);
  return found;
};

test.each<[string, FinalScore, number, string, string]>([
  ["nba", [100, 110], 0.5, "50-55", "3Q"],
  ["nba", [100, 110], 1, "100-110", "4Q"],
  ["atp", [2, 1], 0.5, "6-4, 1-3", "S2"],
  ["atp", [2, 1], 1, "6-4, 3-6, 7-6(7-4)", "S3"],
  ["cs2", [0, 2], 0.25, "004-006|0-0|Bo3", "1/3"],
  ["cs2", [0, 2], 1, "000-000|0-2|Bo3", "2/3"],
])("a game of %s that ends %j has after %d of its time the score %s", (slug, final, share, score, period) => {
  expect(runningScore(league(slug), final, share)).toEqual({ score, period });
});

test("the final score of every league names the winner", () => {
  for (const one of LEAGUES)
    for (const final of [
      [one.winnerPoints[0], 0],
      [0, one.winnerPoints[0]],
    ] as const) {
      const { score } = runningScore(one, final, 1);
      expect(parseGameScore(score)?.leader, `${one.slug} ${score}`).toBe(final[0] > final[1] ? 0 : 1);
    }
});
