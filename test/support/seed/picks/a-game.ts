import { games, ingestCheckpoints, providerEvents, type StoredCompetitor } from "../../../../src/db/schema.ts";
import type { Database } from "../../../../src/db/client.ts";
import { BOARD_FEEDS } from "../../../../src/domain/games/game-board.ts";
import { nextNumber } from "../numbers.ts";

export interface SeededGame {
  readonly id: number;
  readonly gameId: string;
  readonly slug: string;
  readonly eventId: number;
}

type GameFacts = Partial<typeof games.$inferInsert>;

/** One side of a game, known by name alone. */
export const aCompetitor = (name: string, facts: Partial<StoredCompetitor> = {}): StoredCompetitor => ({
  name,
  providerId: null,
  abbreviation: null,
  logo: null,
  record: null,
  ordering: null,
  ...facts,
});

/** A scheduled basketball game of tomorrow, with its event. Its markets are those with its `gameId`. */
export async function aGame(db: Database, facts: GameFacts = {}): Promise<SeededGame> {
  const n = nextNumber();
  const slug = facts.eventSlug ?? `nba-hom-awa-${n}`;
  const [event] = await db
    .insert(providerEvents)
    .values({ slug, title: `Away ${n} vs. Home ${n}`, providerEventId: String(9_000_000 + n) })
    .returning({ id: providerEvents.id });
  if (event === undefined) throw new Error("no event was stored");
  const providerGameId = facts.providerGameId ?? String(70_000_000 + n);
  const [row] = await db
    .insert(games)
    .values({
      providerGameId,
      eventId: event.id,
      eventSlug: slug,
      title: `Away ${n} vs. Home ${n}`,
      sport: "Basketball",
      league: "nba",
      scheduledAt: new Date(Date.now() + 86_400_000),
      competitors: [aCompetitor(`Home ${n}`), aCompetitor(`Away ${n}`)],
      state: "scheduled",
      observedAt: new Date(),
      ...facts,
    })
    .returning({ id: games.id });
  if (row === undefined) throw new Error("no game was stored");
  return { id: row.id, gameId: providerGameId, slug, eventId: event.id };
}

/** Both halves of the board were read at a time; null leaves out a half. */
export async function theBoardWasRead(
  db: Database,
  { live, upcoming }: { live: Date | null; upcoming: Date | null },
  covered: { sports: readonly string[]; leagues: readonly string[] } = { sports: ["Basketball"], leagues: ["nba"] },
): Promise<void> {
  const halves = [
    [BOARD_FEEDS.live, live, {}],
    [BOARD_FEEDS.upcoming, upcoming, { list: "open", cursor: null, startedMs: 0, ...covered }],
  ] as const;
  for (const [feed, readAt, state] of halves)
    if (readAt !== null)
      await db.insert(ingestCheckpoints).values({ feed, state: { ...state, readAtMs: readAt.getTime() } });
}
