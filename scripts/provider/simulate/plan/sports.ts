import type { MarketEvent } from "../../provider-world.ts";
import { LEAGUES, tagOf } from "./topics.ts";
import { MINUTE_MS } from "../../../../src/scoring/utc-calendar.ts";

/** How long the last frame of a finished game is still shown. */
const ENDED_SHOWN_MS = 10 * MINUTE_MS;

/** Frames of games that are live or have just ended. */
export function listGameFrames(events: readonly MarketEvent[], now: number): readonly Record<string, unknown>[] {
  return events.flatMap(({ game, slug }) => {
    const state = game?.stateAt(now) ?? null;
    if (game === null || state === null || (game.endedAtMs ?? 0) + ENDED_SHOWN_MS < now) return [];
    const finished =
      state.ended && game.endedAtMs !== null ? { finishedTimestamp: new Date(game.endedAtMs).toISOString() } : {};
    const common = {
      gameId: game.gameId,
      slug,
      leagueAbbreviation: game.league,
      homeTeam: game.home,
      awayTeam: game.away,
    };
    return [{ ...common, status: state.ended ? "finished" : "InProgress", ...state, ...finished }];
  });
}

export const listSports = (): readonly Record<string, unknown>[] =>
  LEAGUES.map((league, index) => ({
    id: index + 1,
    sport: league.slug,
    name: `${league.slug.toUpperCase()} (simulated)`,
    image: "",
    resolution: "",
    ordering: "away",
    tags: [tagOf("sports").id, tagOf(league.slug).id, tagOf("games").id].join(","),
    primaryTagId: Number(tagOf(league.slug).id),
    series: String(9000 + index),
  }));

export const listTeams = (): readonly Record<string, unknown>[] =>
  LEAGUES.flatMap((league, leagueIndex) =>
    league.teams.map((name, index) => ({
      id: leagueIndex * 100 + index,
      name,
      league: league.slug,
      record: "0-0",
      abbreviation: name.slice(0, 3).toLowerCase(),
      alias: name,
      providerId: leagueIndex * 100 + index,
    })),
  );
