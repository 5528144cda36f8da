import type { ProviderGameEvent } from "../../../../src/platform/provider.ts";
import { MINUTE_MS } from "../../../../src/scoring/utc-calendar.ts";

const GAMES = 5_000;
/** One game of this many is in play. */
const LIVE_EVERY = 25;
const LEAGUES = [
  { league: "nba", category: "Basketball", tags: ["sports", "games", "nba", "basketball"] },
  { league: "epl", category: "Soccer", tags: ["sports", "games", "epl", "soccer"] },
  { league: "lol", category: "Esports", tags: ["sports", "games", "lol", "esports"] },
] as const;

/** A board of 5,000 games: the games in play began in the last two hours, the others begin within two weeks. */
export function generateGames(nowMs: number): readonly ProviderGameEvent[] {
  return Array.from({ length: GAMES }, (_, n) => {
    const isLive = n % LIVE_EVERY === 0;
    const kickoffMs = nowMs + (isLive ? -(n % 120) : (n * 4) % 20_160) * MINUTE_MS;
    const { league, category, tags } = LEAGUES[n % LEAGUES.length] ?? LEAGUES[0];
    const [home, away] = [`Home ${n}`, `Away ${n}`];
    return {
      gameId: String(80_000_000 + n),
      event: {
        providerEventId: `8${String(n).padStart(7, "0")}`,
        slug: `generated-${league}-${n}`,
        title: `${home} vs. ${away}`,
        image: null,
        seriesSlug: null,
        tags,
        startAt: new Date(kickoffMs),
        endAt: null,
      },
      isMain: true,
      isClosed: false,
      category,
      league,
      kickoffAt: new Date(kickoffMs),
      competitors: [home, away].map((name, side) => ({
        name,
        providerId: String(n * 2 + side),
        abbreviation: null,
        logo: null,
        record: null,
        ordering: side === 0 ? "home" : "away",
      })),
      scoreFirst: 0,
      state: {
        status: isLive ? "InProgress" : null,
        score: isLive ? `${n % 7}-${n % 3}` : null,
        period: isLive ? "2H" : null,
        elapsed: null,
        live: isLive,
        ended: false,
        finishedAt: null,
      },
    };
  });
}
