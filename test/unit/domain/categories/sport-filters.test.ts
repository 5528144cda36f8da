import { expect, test } from "vitest";
import { categoryOfTags } from "../../../../src/domain/categories/categories.ts";
import { marksOfSport, SPORT_FILTERS } from "../../../../src/domain/categories/sport-filters.ts";

const LEAGUES: Readonly<Record<string, string>> = {
  nfl: "Football",
  ncaaf: "Football",
  nba: "Basketball",
  wnba: "Basketball",
  f1: "Racing",
};

test.each(SPORT_FILTERS)("each tag of %s leads to the category of the sport", (sport) => {
  const { category, tags } = marksOfSport(sport);
  expect(tags.length).toBeGreaterThan(0);
  expect(category === null).toBe(sport in LEAGUES);
  for (const tag of tags) expect([tag, categoryOfTags([tag])]).toEqual([tag, category ?? LEAGUES[sport]]);
});

test("two leagues of one sport share no tag", () => {
  const tags = Object.keys(LEAGUES).flatMap((league) => SPORT_FILTERS.filter((sport) => sport === league));
  const all = tags.flatMap((league) => marksOfSport(league).tags);
  expect(new Set(all).size).toBe(all.length);
});
