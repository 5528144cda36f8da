import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Provider, ProviderGameEvent } from "../../../../src/platform/provider.ts";
import { startProviderEndpoint } from "../../../../scripts/provider/index.ts";
import { sharedPath } from "../../../support/providers/shared-path.ts";
import { providerAt, walk } from "../../providers/polymarket/provider-at-endpoint.ts";

const DATA = sharedPath("data/");
const NFL_GAMES = `${DATA}sports/nfl-games-2024.ndjson.gz`;
const FRAMES = `${DATA}sports/sports-ws-frames.json`;

const RecordedGame = z.object({
  event_slug: z.string(),
  league: z.string(),
  away: z.string(),
  home: z.string(),
  game_start_utc: z.string(),
});
const RecordedFrame = z.looseObject({ gameId: z.number(), homeTeam: z.string(), awayTeam: z.string() });

const nameOf = ({ competitors }: ProviderGameEvent) => competitors.map(({ name }) => name);

describe.runIf(existsSync(NFL_GAMES) && existsSync(FRAMES))("the recorded games", () => {
  let provider: Provider;
  let gammaUrl: string;
  let games: z.output<typeof RecordedGame>[];
  let frames: Record<string, unknown>[];

  beforeAll(async () => {
    const endpoint = await startProviderEndpoint({
      source: { kind: "replay", dir: DATA, speed: "max" },
      log: { error: () => undefined },
    });
    ({ provider } = providerAt(endpoint));
    gammaUrl = endpoint.gammaUrl;
    const lines = gunzipSync(readFileSync(NFL_GAMES)).toString("utf8").trim().split("\n");
    games = lines.map((line) => RecordedGame.parse(JSON.parse(line)));
    const captures = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(FRAMES, "utf8")));
    frames = Object.values(captures).flatMap(
      (rows) => z.array(RecordedFrame.or(z.looseObject({}))).safeParse(rows).data ?? [],
    );
    return () => endpoint.stop();
  });

  test("are listed as closed games of their sport, with schedule, sides and league", async () => {
    const { rows } = await walk((cursor) =>
      provider.listGameEvents("closed", new Date("2024-08-01T00:00:00Z"), cursor),
    );
    expect(games).toHaveLength(9);
    const listed = rows
      .filter(({ league }) => league === "nfl")
      .map((row) => [row.event.slug, row.category, row.kickoffAt?.toISOString(), ...nameOf(row)]);
    const recorded = games.map((row) => [
      row.event_slug,
      "Football",
      new Date(row.game_start_utc).toISOString(),
      row.home,
      row.away,
    ]);
    expect(listed.toSorted()).toEqual(recorded.toSorted());
  });

  test("ended long ago, so that a board of the last days has the games of the socket frames only", async () => {
    const since = new Date(Date.now() - 2 * 86_400_000);
    expect((await walk((cursor) => provider.listGameEvents("closed", since, cursor))).rows).toEqual([]);
    const { rows } = await walk((cursor) => provider.listGameEvents("live", since, cursor));
    const live = frames.filter((frame) => frame["live"] === true && frame["homeTeam"] !== undefined);
    expect(live.length).toBeGreaterThan(0);
    expect(rows.map((row) => [row.gameId, row.state.score, ...nameOf(row)]).toSorted()).toEqual(
      live.map((frame) => [String(frame["gameId"]), frame["score"], frame["homeTeam"], frame["awayTeam"]]).toSorted(),
    );
    expect(rows.map(({ kickoffAt }) => kickoffAt)).toEqual(rows.map(() => null));
  });

  test("give their teams and leagues", async () => {
    const read = async (path: string): Promise<Record<string, unknown>[]> => (await fetch(gammaUrl + path)).json();
    const sidesOf = (frame: Record<string, unknown>) => [frame["homeTeam"], frame["awayTeam"]];
    const nflFrames = frames.filter((frame) => frame["leagueAbbreviation"] === "nfl");
    const teams = new Set([...games.flatMap(({ home, away }) => [home, away]), ...nflFrames.flatMap(sidesOf)]);
    const listed = await read("/teams?league=nfl&limit=100");
    expect(listed.map(({ name }) => name).toSorted()).toEqual([...teams].toSorted());
    const twoSided = frames.filter((frame) => frame["homeTeam"] !== undefined);
    const leagues = new Set(["nfl", ...twoSided.map((frame) => frame["leagueAbbreviation"])]);
    expect((await read("/sports")).map(({ sport }) => sport)).toEqual([...leagues].toSorted());
  });
});
