import { expect, test } from "vitest";
import { parseGameScore } from "../../../../src/domain/games/game-score.ts";

/** Format, both sides, both map scores, series format and leader. */
function digest(score: string) {
  const parsed = parseGameScore(score);
  if (parsed === null) return null;
  const [first, second] = parsed.sides;
  return [parsed.format, [first.text, second.text], [first.map, second.map], parsed.seriesFormat, parsed.leader];
}

const NO_MAPS = [null, null];

test.each([
  ["2-1", ["two_side", ["2", "1"], NO_MAPS, null, 0]],
  ["0-0", ["two_side", ["0", "0"], NO_MAPS, null, null]],
  ["127-132", ["two_side", ["127", "132"], NO_MAPS, null, 1]],
  ["186/3-120", ["two_side", ["186/3", "120"], NO_MAPS, null, null]],
  ["6-7(3-7), 6-3, 2-1", ["multi_set", ["6(3), 6, 2", "7(7), 3, 1"], NO_MAPS, null, 0]],
  ["7-6(7-5)", ["multi_set", ["7(7)", "6(5)"], NO_MAPS, null, 0]],
  ["6-4, 4-6", ["multi_set", ["6, 4", "4, 6"], NO_MAPS, null, null]],
  ["000-000|0-1|Bo5", ["esports_series", ["0", "1"], NO_MAPS, "Bo5", 1]],
  ["011-004|1-0|Bo3", ["esports_series", ["1", "0"], ["011", "004"], "Bo3", 0]],
  ["000-000|2-0", ["esports_series", ["2", "0"], NO_MAPS, null, 0]],
])("the score %s is read by its format", (score, expected) => {
  expect(digest(score)).toEqual(expected);
});

test.each(["", "-", "2", "2-", "2-1-3", "a|b|Bo3", "6-4, rain"])("the text %j is no score", (text) => {
  expect(parseGameScore(text)).toBeNull();
});
