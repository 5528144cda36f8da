import { lte } from "drizzle-orm";
import type { Session } from "../../db/client.ts";
import { games } from "../../db/schema.ts";
import { publishEvents } from "../../events/outbox/publish-events.ts";
import { mergeScoreFrame } from "./merge-game-state.ts";
import { decideGamePulse } from "./publish-game-changes.ts";
import type { ReceivedFrame } from "./score-frames.ts";
import { lockGames, saveGames, type GameRow } from "./stored-game.ts";

/**
 * Applies score frames in the order of arrival and publishes the changes that are due. Frames of games that no
 * event has named are ignored: the socket sends every game, with markets or without.
 */
export async function applyScoreFrames(session: Session, frames: readonly ReceivedFrame[], now: Date): Promise<void> {
  const due = await session.select({ gameId: games.providerGameId }).from(games).where(lte(games.pulseDueAt, now));
  const ids = [...frames.map(({ frame }) => frame.gameId), ...due.map(({ gameId }) => gameId)];
  const stored = await lockGames(session, ids);
  const merged = new Map(stored);
  for (const received of frames) {
    const game = merged.get(received.frame.gameId);
    if (game !== undefined) merged.set(received.frame.gameId, mergeScoreFrame(game, received));
  }
  await saveWithPulses(session, [...merged.values()], now);
}

/** Saves games, with the events of their changes in the same transaction. */
export async function saveWithPulses(session: Session, rows: readonly GameRow[], now: Date): Promise<void> {
  const decided = rows.map((game) => decideGamePulse(game, now));
  await saveGames(
    session,
    decided.map(({ game }) => game),
  );
  await publishEvents(
    session,
    decided.flatMap(({ event }) => event ?? []),
  );
}
