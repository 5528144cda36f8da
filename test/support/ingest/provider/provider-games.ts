import type { ProviderGameEvent, ProviderGameState, ProviderScoreFrame } from "../../../../src/platform/provider.ts";

const SILENT: ProviderGameState = {
  status: null,
  score: null,
  period: null,
  elapsed: null,
  live: null,
  ended: null,
  finishedAt: null,
};

export const KICKOFF = new Date("2026-11-20T18:00:00Z");

type EventFacts = Partial<Omit<ProviderGameEvent, "state" | "event">> & {
  readonly slug?: string;
  readonly eventId?: string;
  readonly state?: Partial<ProviderGameState>;
};

/** The main event of game `n`, before its kickoff. The away side comes first in its title and its scores. */
export function aGameEvent(n = 1, { slug, eventId, state, ...facts }: EventFacts = {}): ProviderGameEvent {
  return {
    gameId: String(70_000 + n),
    event: {
      providerEventId: eventId ?? String(500_000 + n),
      slug: slug ?? `nba-mil-bos-${n}`,
      title: `Bucks vs. Celtics ${n}`,
      image: null,
      seriesSlug: "nba",
      tags: ["sports", "games", "nba"],
      startAt: KICKOFF,
      endAt: null,
    },
    isMain: true,
    isClosed: false,
    category: "Basketball",
    league: "nba",
    kickoffAt: KICKOFF,
    competitors: [
      { name: "Boston Celtics", providerId: "2", abbreviation: "bos", logo: null, record: null, ordering: "home" },
      { name: "Milwaukee Bucks", providerId: "15", abbreviation: "mil", logo: null, record: null, ordering: "away" },
    ],
    scoreFirst: 1,
    ...facts,
    state: { ...SILENT, ...state },
  };
}

/** A frame of game `n` in play; the home team is the event's home side. */
export function aScoreFrame(n = 1, facts: Partial<ProviderScoreFrame> = {}): ProviderScoreFrame {
  return {
    gameId: String(70_000 + n),
    slug: null,
    league: "nba",
    homeTeam: "BOS",
    awayTeam: "MIL",
    sourceAt: null,
    ...SILENT,
    status: "InProgress",
    score: "0-0",
    period: "1Q",
    live: true,
    ended: false,
    ...facts,
  };
}
