import { expect, test } from "vitest";
import { esportsGameOf } from "../../../src/domain/esports-games.ts";

test.each([
  [["esports", "lol"], { seriesSlug: "league-of-legends", name: "LoL" }],
  [["esports", "Counter-Strike-2"], { seriesSlug: "counter-strike", name: "CS2" }],
  [["dota2"], { seriesSlug: "dota-2", name: "Dota 2" }],
  [["esports", "starcraft-2"], { seriesSlug: "starcraft-2", name: "StarCraft II" }],
])("tags %j name the title", (tags, game) => {
  expect(esportsGameOf(tags)).toEqual(game);
});

test.each([[[]], [["esports"]], [["celebrities", "lollapalooza"]]])("tags %j name no title", (tags) => {
  expect(esportsGameOf(tags)).toBeNull();
});
