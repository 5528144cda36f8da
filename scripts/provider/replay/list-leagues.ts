import type { Game, MarketEvent } from "../provider-world.ts";
import { tagsOfGame } from "./game-tags.ts";

/** Leagues and teams of the recorded games. What Gamma also says of them was not recorded and is absent. */

const gamesOf = (events: readonly MarketEvent[]): Game[] => events.flatMap(({ game }) => game ?? []);

/** The rows of `/sports`: one per league. */
export const listSports = (events: readonly MarketEvent[]): readonly Record<string, unknown>[] =>
  [...new Set(gamesOf(events).map(({ league }) => league))].toSorted().map((sport, index) => ({
    id: index + 1,
    sport,
    tags: tagsOfGame(sport)
      .map(({ id }) => id)
      .join(","),
  }));

/** The rows of `/teams`: one per league and name. */
export function listTeams(events: readonly MarketEvent[]): readonly Record<string, unknown>[] {
  const names = new Map(
    gamesOf(events).flatMap(({ league, teams }) =>
      teams.map(({ name }) => [`${league} ${name}`, { name, league }] as const),
    ),
  );
  return [...names].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, team], index) => ({ id: index + 1, ...team }));
}
