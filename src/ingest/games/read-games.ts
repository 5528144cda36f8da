import type { Pool } from "@neondatabase/serverless";
import { and, desc, eq, isNotNull, gte, lt, or, sql } from "drizzle-orm";
import { z } from "zod";
import { inTransaction, type Session } from "../../db/client.ts";
import { games } from "../../db/schema.ts";
import { BOARD_FEEDS, LISTED_AFTER_MS, LONGEST_GAME_MS } from "../../domain/games/game-board.ts";
import {
  ProviderRefused,
  type Provider,
  type ProviderGameEvent,
  type QuarantinedRecord,
} from "../../platform/provider.ts";
import { findCheckpoint, saveCheckpoint } from "../feeds/checkpoints.ts";
import { applyGameEvents } from "./apply-game-events.ts";

/** Games that are requested by id in one round: the most that the provider accepts in one call. */
const MOST_REQUESTED = 50;
/** Pages of games in play that one round reads at most. */
const MOST_LIVE_PAGES = 20;

const BoardWalk = z.object({
  list: z.enum(["open", "closed"]),
  cursor: z.string().nullable(),
  startedMs: z.number(),
  /** When the last complete walk began, ms; null before the first. */
  readAtMs: z.number().nullable(),
  sports: z.array(z.string()),
  leagues: z.array(z.string()),
});

/**
 * Reads and applies the next page of the board: the open games, then those that ended lately.
 *
 * @returns whether the walk has more pages
 */
export async function walkGames(pool: Pool, provider: Provider, now: () => Date): Promise<boolean> {
  const feed = BOARD_FEEDS.upcoming;
  const stored = await inTransaction(pool, (session) => findCheckpoint(session, feed, BoardWalk));
  const isNew = stored === null || (stored.cursor === null && stored.list === "open");
  const walk = {
    ...(stored ?? { list: "open" as const, cursor: null, readAtMs: null, sports: [], leagues: [] }),
    startedMs: isNew ? now().getTime() : stored.startedMs,
  };
  const since = new Date(walk.startedMs - LISTED_AFTER_MS);
  const page = await provider.listGameEvents(walk.list, since, walk.cursor).catch(async (error: unknown) => {
    if (error instanceof ProviderRefused && walk.cursor !== null)
      await inTransaction(pool, (session) => saveCheckpoint(session, feed, { ...walk, list: "open", cursor: null }));
    throw error;
  });
  const isOver = page.nextCursor === null && walk.list === "closed";
  await inTransaction(pool, async (session) => {
    const readAt = now();
    await applyGameEvents(session, page, readAt);
    const list = page.nextCursor === null ? (isOver ? "open" : "closed") : walk.list;
    const covered = isOver ? { readAtMs: walk.startedMs, ...(await listCovered(session, readAt)) } : {};
    await saveCheckpoint(session, feed, { ...walk, list, cursor: page.nextCursor, ...covered });
  });
  return !isOver;
}

/** The sports and leagues of the games on the board, sorted. */
async function listCovered(session: Session, now: Date): Promise<{ sports: string[]; leagues: string[] }> {
  const oldest = new Date(now.getTime() - LONGEST_GAME_MS);
  const rows = await session
    .selectDistinct({ sport: games.sport, league: games.league })
    .from(games)
    .where(and(isNotNull(games.eventSlug), or(gte(games.scheduledAt, oldest), sql`${games.scheduledAt} is null`)));
  const sorted = (values: readonly (string | null)[]) =>
    [...new Set(values.filter((value) => value !== null))].toSorted();
  return { sports: sorted(rows.map(({ sport }) => sport)), leagues: sorted(rows.map(({ league }) => league)) };
}

/**
 * Reads the games in play, and then those that were in play and are no longer listed: their end may have been
 * missed. This is the only source of scores while the socket is dead.
 */
export async function readLiveGames(pool: Pool, provider: Provider, now: () => Date): Promise<void> {
  const startedAt = now();
  const listed = await listLive(provider, startedAt);
  await inTransaction(pool, (session) => applyGameEvents(session, listed, now()));
  const missing = await inTransaction(pool, (session) => listMissing(session, startedAt));
  const found = await provider.findGameEvents(missing);
  await inTransaction(pool, async (session) => {
    await applyGameEvents(session, found, now());
    await saveCheckpoint(session, BOARD_FEEDS.live, { readAtMs: startedAt.getTime() });
  });
}

async function listLive(
  provider: Provider,
  since: Date,
): Promise<{ rows: ProviderGameEvent[]; quarantined: QuarantinedRecord[] }> {
  const rows: ProviderGameEvent[] = [];
  const quarantined: QuarantinedRecord[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_LIVE_PAGES; pages++) {
    const page = await provider.listGameEvents("live", since, cursor);
    rows.push(...page.rows);
    quarantined.push(...page.quarantined);
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return { rows, quarantined };
}

/** Games that are stored as in play and were not in the list; those with the newest scores first. */
async function listMissing(session: Session, listedAt: Date): Promise<string[]> {
  const rows = await session
    .select({ gameId: games.providerGameId })
    .from(games)
    .where(and(eq(games.live, true), lt(games.observedAt, listedAt)))
    .orderBy(desc(sql`coalesce(${games.scoresObservedAt}, ${games.observedAt})`))
    .limit(MOST_REQUESTED);
  return rows.map(({ gameId }) => gameId);
}
