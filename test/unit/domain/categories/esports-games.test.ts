import { expect, test } from "vitest";
import { esportsGameOf } from "../../../../src/domain/categories/esports-games.ts";

test.each([
  [["esports", "lol"], { seriesSlug: "league-of-legends", name: "LoL" }],
  [["esports", "Counter-Strike-2"], { seriesSlug: "counter-strike", name: "CS2" }],
  [["dota2"], { seriesSlug: "dota-2", name: "Dota 2" }],
  [["esports", "starcraft-2"], { seriesSlug: "starcraft-2", name: "StarCraft II" }],
])("the tags %j name an esports game", (tags, game) => {
  expect(esportsGameOf(tags)).toEqual(game);
});

test.each([[[]], [["esports"]], [["celebrities", "lollapalooza"]]])("the tags %j name no esports game", (tags) => {
  expect(esportsGameOf(tags)).toBeNull();
});
