import { describe, expect, test } from "vitest";
import {
  categoryOfTags,
  normalizeCategory,
  normalizeLeaderboardCategory,
} from "../../../../src/domain/categories/categories.ts";

describe("the category of a market's tags", () => {
  test.each([
    ["leagues fold into their sport", ["sports", "games", "mlb", "baseball", "mlb-playoffs"], "Baseball"],
    ["women's and college leagues too", ["sports", "wnba"], "Basketball"],
    ["English football is soccer", ["sports", "EPL"], "Soccer"],
    ["the American game is football", ["sports", "nfl"], "Football"],
    ["a competition named after its sport", ["sports", "games", "soccer-el1"], "Soccer"],
    ["table tennis is not tennis", ["sports", "table-tennis"], "Table Tennis"],
    ["a sport outweighs the fame around it", ["celebrities", "pop-culture", "jake-paul", "boxing"], "Boxing"],
    ["but songs of a half-time show are no football", ["nfl", "super-bowl", "halftime-show", "music"], "Pop Culture"],
    ["a subject outweighs a section", ["politics", "ukraine"], "Geopolitics"],
    ["a coin outweighs politics", ["politics", "bitcoin"], "Crypto"],
    ["elections are politics", ["world-elections", "global-elections", "elections"], "Politics"],
    ["elections abroad stay politics", ["world", "elections"], "Politics"],
    ["the economy is Stocks", ["economics", "finance"], "Stocks"],
    ["technology", ["tech"], "Science & Tech"],
    ["culture", ["pop-culture", "world"], "Pop Culture"],
  ])("tags map to a category: %s", (_, tags, category) => {
    expect(categoryOfTags(tags)).toBe(category);
  });

  test.each([[[]], [["sports", "games"]], [["rugby-six-nations"]], [["mention-markets"]], [[""]]])(
    "tags %j have no category",
    (tags) => {
      expect(categoryOfTags(tags)).toBeNull();
    },
  );
});

describe("a requested category", () => {
  test.each([
    ["us politics", "Politics"],
    ["Elections", "Politics"],
    ["ENTERTAINMENT", "Pop Culture"],
    ["culture", "Pop Culture"],
    ["science", "Science & Tech"],
    ["science & tech", "Science & Tech"],
    ["Business", "Stocks"],
    ["finance", "Stocks"],
    ["NBA", "Basketball"],
    ["geopolitics", "Geopolitics"],
    ["Table Tennis", "Table Tennis"],
  ])("the requested category %s is read as %s", (requested, category) => {
    expect(normalizeCategory(requested)).toBe(category);
  });

  test.each(["Underwater Hockey Gossip", "bitcoin", ""])(
    "the requested category %j is not an alias and stays unchanged",
    (requested) => {
      expect(normalizeCategory(requested)).toBe(requested);
    },
  );
});

describe("a requested category of a ranked list", () => {
  test.each([
    ["us politics", "Politics"],
    ["ELECTIONS", "Politics"],
    ["Culture", "Pop Culture"],
    ["entertainment", "Pop Culture"],
    ["science & tech", "Science & Tech"],
    ["Science", "Science & Tech"],
    ["finance", "Stocks"],
    ["business", "Stocks"],
    ["Geopolitics", "Geopolitics"],
    ["Basketball", "Basketball"],
  ])("a ranked list reads the requested category %s as %s", (requested, category) => {
    expect(normalizeLeaderboardCategory(requested)).toBe(category);
  });

  test.each(["geopolitics", "basketball", "NBA", "crypto", ""])(
    "a ranked list reads the requested category %j unchanged",
    (requested) => {
      expect(normalizeLeaderboardCategory(requested)).toBe(requested);
    },
  );
});
