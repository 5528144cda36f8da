import { describe, expect, test } from "vitest";
import { ProviderUnavailable } from "../../../../../src/platform/provider.ts";
import { hasRecordedData, readRecorded } from "../../../../support/providers/recorded.ts";
import { aScriptedProvider, type NetworkStep } from "../../../../support/providers/scripted-provider.ts";

const SINCE = new Date("2026-11-18T00:00:00Z");

const gamePage = (rows: readonly unknown[], cursor?: string): NetworkStep => ({
  json: { events: rows, ...(cursor === undefined ? {} : { next_cursor: cursor }) },
});

/** The main event of a game, with the fields that are always present. */
const anEvent = (facts: object = {}) => ({
  id: "1",
  slug: "nba-mil-bos",
  tags: [{ slug: "sports" }, { slug: "nba" }],
  gameId: 7,
  ...facts,
});

async function readOne(facts: object) {
  const { provider } = aScriptedProvider(gamePage([anEvent(facts)]));
  const { rows } = await provider.listGameEvents("open", SINCE, null);
  return rows[0];
}

describe("requests for game events", () => {
  test.each([
    ["live", { live: "true" }],
    ["open", { closed: "false", tag_slug: "games" }],
    ["closed", { closed: "true", tag_slug: "games", start_time_min: "2026-11-18T00:00:00.000Z" }],
  ] as const)("the list %s is requested without markets, page by page", async (list, filter) => {
    const { provider, sent } = aScriptedProvider(gamePage([anEvent({ live: true })], "next"), gamePage([]));
    const page = await provider.listGameEvents(list, SINCE, null);
    expect(page.nextCursor).toBe("next");
    expect((await provider.listGameEvents(list, SINCE, "next")).nextCursor).toBeNull();
    const { _: buster, ...query } = Object.fromEntries(sent[0]?.url.searchParams ?? []);
    expect(query).toEqual({ ...filter, include_markets: "false", limit: "100" });
    expect(buster).toMatch(/./);
    expect(sent.map(({ url }) => [url.pathname, url.searchParams.get("after_cursor")])).toEqual([
      ["/events/keyset", null],
      ["/events/keyset", "next"],
    ]);
  });

  test("a list of games in play without one is refused: the provider ignores filters that it does not know", async () => {
    const { provider } = aScriptedProvider(gamePage([anEvent()]));
    await expect(provider.listGameEvents("live", SINCE, null)).rejects.toThrow(ProviderUnavailable);
  });

  test("games are found by their numbers among the open and the closed events", async () => {
    const { provider, sent } = aScriptedProvider(gamePage([]), gamePage([anEvent({ closed: true })]));
    const { rows } = await provider.findGameEvents(["7", "id2704"]);
    expect(rows.map(({ gameId, isClosed }) => [gameId, isClosed])).toEqual([["7", true]]);
    expect(sent.map(({ url }) => [url.searchParams.get("closed"), url.searchParams.getAll("game_id")])).toEqual([
      ["false", ["7"]],
      ["true", ["7"]],
    ]);
  });

  test("games without numbers are not requested, and games that were not requested are refused", async () => {
    const { provider, sent } = aScriptedProvider(gamePage([anEvent({ gameId: 8 })]));
    expect((await provider.findGameEvents(["id2704"])).rows).toEqual([]);
    expect(sent).toEqual([]);
    await expect(provider.findGameEvents(["7"])).rejects.toThrow(ProviderUnavailable);
  });
});

describe("the mapping of game events", () => {
  test("the home side comes first, also where the provider lists it second", async () => {
    const teams = [
      { name: "Bucks", ordering: "away", providerId: 15, abbreviation: "mil", record: "3-1" },
      { name: "Celtics", ordering: "home", providerId: 2 },
    ];
    expect((await readOne({ teams }))?.competitors).toEqual([
      { name: "Celtics", providerId: "2", abbreviation: null, logo: null, record: null, ordering: "home" },
      { name: "Bucks", providerId: "15", abbreviation: "mil", logo: null, record: "3-1", ordering: "away" },
    ]);
  });

  test.each([
    ["the league names the away side first", { ordering: "away" }, ["home", "away"], 1],
    ["the league names the home side first", { ordering: "home" }, ["away", "home"], 0],
    ["nothing but the list of teams, away first", {}, ["away", "home"], 1],
    ["nothing but the list of teams, home first", {}, ["home", "away"], 0],
    ["a list of teams without sides", { ordering: "away" }, [undefined, undefined], 0],
  ])("the side whose number comes first in the score is known from: %s", async (_, sport, orderings, scoreFirst) => {
    const teams = orderings.map((ordering, index) => ({ name: `Team ${index}`, ordering }));
    expect((await readOne({ teams, sport }))?.scoreFirst).toBe(scoreFirst);
  });

  test("a score of an event without teams belongs to no side", async () => {
    expect((await readOne({}))?.scoreFirst).toBeNull();
  });

  test("sides without an order stay in the provider's order", async () => {
    const teams = [{ name: "Solary" }, { name: "T1 Academy", ordering: "unknown" }];
    expect((await readOne({ teams }))?.competitors.map(({ name }) => name)).toEqual(["Solary", "T1 Academy"]);
  });

  test.each([
    ["the event's sport", { sport: { sport: "NBA" } }, "nba"],
    ["its first team", { teams: [{ name: "A", league: "wnba" }] }, "wnba"],
    ["nothing", {}, null],
    ["the name of the whole sport", { sport: { sport: "basketball" } }, null],
  ])("the league follows from %s", async (_, facts, league) => {
    expect((await readOne(facts))?.league).toBe(league);
  });

  test("an event without a game is no game, and an unreadable one is quarantined", async () => {
    const { provider } = aScriptedProvider(gamePage([anEvent({ gameId: null }), { id: "2" }]));
    const { rows, quarantined } = await provider.listGameEvents("open", SINCE, null);
    expect(rows).toEqual([]);
    expect(quarantined.map(({ record }) => record)).toEqual([{ id: "2" }]);
  });
});

describe.skipIf(!hasRecordedData)("recorded events", () => {
  const read = async (file: string) => {
    const { provider } = aScriptedProvider(gamePage([readRecorded(`provider-samples/${file}.json`)]));
    const { rows, quarantined } = await provider.listGameEvents("open", SINCE, null);
    expect(quarantined).toEqual([]);
    return rows[0];
  };

  test("the main event of a finished game is read", async () => {
    expect(await read("gamma_event_game")).toMatchObject({
      gameId: "10079774",
      isMain: true,
      isClosed: true,
      category: "Baseball",
      league: "mlb",
      kickoffAt: new Date("2026-10-08T02:00:00Z"),
      competitors: [
        { name: "San Diego Padres", providerId: "33", ordering: "home" },
        { name: "Milwaukee Brewers", providerId: "32", ordering: "away" },
      ],
      state: {
        score: "3-1",
        period: "VFT",
        live: false,
        ended: true,
        finishedAt: new Date("2026-10-08T05:09:39.259Z"),
      },
    });
  });

  test("the child event of a postponed game is no main event and has the new kickoff", async () => {
    expect(await read("gamma_event_game_child")).toMatchObject({
      gameId: "90115236",
      isMain: false,
      category: "Soccer",
      league: "el1",
      kickoffAt: new Date("2026-12-15T19:45:00Z"),
      state: { score: null, live: null, ended: null },
    });
  });
});
