import { categoryOfTags } from "../../../../domain/categories/categories.ts";
import type { ProviderCompetitor, ProviderGameEvent } from "../../../../platform/provider.ts";
import type { GameEvent } from "../../payloads/sports/game-event.ts";
import { toEvent } from "../markets/market.ts";

/** @returns null for an event that names no game */
export function toGameEvent(event: GameEvent): ProviderGameEvent | null {
  if (event.gameId === null) return null;
  const category = categoryOfTags(event.tags);
  const competitors = competitorsOf(event);
  return {
    gameId: event.gameId,
    event: toEvent(event, event.tags),
    isMain: event.parentEventId === null,
    isClosed: event.closed === true,
    category,
    league: leagueOf(event, category),
    kickoffAt: event.startTime,
    competitors,
    scoreFirst: scoreFirstOf(event, competitors),
    state: {
      status: event.gameStatus,
      score: event.score,
      period: event.period,
      elapsed: event.elapsed,
      live: event.live,
      ended: event.ended,
      finishedAt: event.finishedTimestamp,
    },
  };
}

/** A league that has the name of its sport is the sport as a whole. */
function leagueOf({ sport, teams }: GameEvent, category: string | null): string | null {
  const league = (sport?.sport ?? teams[0]?.league ?? null)?.toLowerCase() ?? null;
  return league === category?.toLowerCase() ? null : league;
}

function competitorsOf({ teams }: GameEvent): ProviderCompetitor[] {
  const inOrder = teams.map(({ name, abbreviation, logo, record, providerId, ordering }): ProviderCompetitor => ({
    name,
    providerId,
    abbreviation,
    logo,
    record,
    ordering: ordering ?? null,
  }));
  return inOrder.toSorted((a, b) => Number(b.ordering === "home") - Number(a.ordering === "home"));
}

/** The league's ordering decides; without one, the order in which the event lists its teams. */
function scoreFirstOf({ sport, teams }: GameEvent, competitors: readonly ProviderCompetitor[]): number | null {
  const ordering = sport?.ordering ?? null;
  const isFirst = ({ name, ordering: side }: ProviderCompetitor) =>
    ordering === null || side === null ? name === teams[0]?.name : side === ordering;
  const index = competitors.findIndex(isFirst);
  return index === -1 ? null : index;
}
