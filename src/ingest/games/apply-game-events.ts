import { inArray, or } from "drizzle-orm";
import type { Session } from "../../db/client.ts";
import { providerEvents } from "../../db/schema.ts";
import { isSport } from "../../domain/games/game-board.ts";
import { parseMatchStatus } from "../../domain/games/match-status.ts";
import { CATEGORIES } from "../../domain/categories/category-tags.ts";
import type { ProviderEvent, ProviderGameEvent, ProviderPage } from "../../platform/provider.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";
import { saveWithPulses } from "./apply-score-frames.ts";
import { mergeEventState } from "./merge-game-state.ts";
import { lockGames, type GameRow } from "./stored-game.ts";
import { HOUR_MS } from "../../scoring/utc-calendar.ts";

/** A main event that was not read for this long may be replaced by another main event of its game. */
const REPLACED_AFTER_MS = HOUR_MS;

/** A game's main event with its row id. */
interface StoredEvent {
  readonly id: number;
  /** Decimal text; null for an event whose slug another one has taken. */
  readonly providerEventId: string | null;
}

/**
 * Writes the games of these events, and publishes what has changed. Only main events of a sport count; a child
 * event has further markets of a game and nothing else.
 *
 * @param readAt when the provider responded
 */
export async function applyGameEvents(
  session: Session,
  { rows, quarantined }: Pick<ProviderPage<ProviderGameEvent>, "rows" | "quarantined">,
  readAt: Date,
): Promise<void> {
  await quarantineRecords(session, "games", quarantined);
  const covered = rows.filter(({ isMain, category }) => isMain && isCovered(category));
  if (covered.length === 0) return;
  const events = await storeEvents(session, covered);
  const stored = await lockGames(
    session,
    covered.map(({ gameId }) => gameId),
  );
  const providerIds = await findProviderIds(session, [...stored.values()]);
  const merged: GameRow[] = [];
  for (const [gameId, candidates] of Map.groupBy(covered, (row) => row.gameId)) {
    const game = stored.get(gameId) ?? null;
    const best = candidates.reduce((main, candidate) => (isBetter(candidate, main) ? candidate : main));
    const event = findEvent(events, best);
    if (event === null) continue;
    const current = game?.eventId == null ? null : (providerIds.get(game.eventId) ?? null);
    if (game !== null && !mayReplace(game, current, best, readAt)) continue;
    merged.push(mergeEventState(mergeEvent(game, best, event.id, readAt), best, readAt));
  }
  await saveWithPulses(session, merged, readAt);
}

const isCovered = (category: string | null): boolean => isSport(CATEGORIES.find((known) => known === category) ?? null);

/** Of two main events of one game, the open one is better, then the older one. */
function isBetter(a: ProviderGameEvent, b: ProviderGameEvent): boolean {
  if (a.isClosed !== b.isClosed) return b.isClosed;
  return isOlder(a.event.providerEventId, b.event.providerEventId);
}

/** Provider event ids are ascending numbers. */
const isOlder = (a: string, b: string): boolean => a.length < b.length || (a.length === b.length && a < b);

/** Whether an event may describe a stored game: it is its main event, or a better one. */
function mayReplace(game: GameRow, current: string | null, next: ProviderGameEvent, readAt: Date): boolean {
  const { providerEventId } = next.event;
  if (current === null || current === providerEventId || game.eventSlug === null) return true;
  if (readAt.getTime() - game.observedAt.getTime() > REPLACED_AFTER_MS) return true;
  return game.eventClosed === next.isClosed ? isOlder(providerEventId, current) : game.eventClosed;
}

function mergeEvent(game: GameRow | null, next: ProviderGameEvent, eventId: number, readAt: Date): GameRow {
  const { gameId, event, isClosed, category, league, kickoffAt } = next;
  const before = game ?? newGame(gameId, readAt);
  return {
    ...before,
    eventId,
    eventSlug: event.slug.toLowerCase(),
    eventClosed: isClosed,
    title: event.title ?? before.title,
    sport: category,
    league,
    scheduledAt: kickoffAt,
    ...(next.competitors.length > 0 ? { competitors: next.competitors, scoreFirst: next.scoreFirst } : {}),
    observedAt: readAt,
    ...(isRescheduled(before, next) ? { providerStatus: null } : {}),
  };
}

/** A new kickoff without a status ends a postponement. */
function isRescheduled(game: GameRow, { kickoffAt, state }: ProviderGameEvent): boolean {
  const status = parseMatchStatus(game.providerStatus);
  const isPostponed = status === "postponed" || status === "delayed";
  return isPostponed && state.status === null && kickoffAt?.getTime() !== game.scheduledAt?.getTime();
}

function newGame(providerGameId: string, observedAt: Date): GameRow {
  return {
    providerGameId,
    eventId: null,
    eventSlug: null,
    eventClosed: false,
    title: null,
    sport: null,
    league: null,
    scheduledAt: null,
    competitors: [],
    seriesFormat: null,
    state: "unknown",
    providerStatus: null,
    score: null,
    period: null,
    clock: null,
    live: null,
    ended: null,
    finishedAt: null,
    observedAt,
    scoresObservedAt: null,
    scoresSourceAt: null,
    scoresFrom: null,
    scoreFirst: null,
    version: 0,
    pulse: null,
    pulsedAt: null,
    pulseDueAt: null,
  };
}

type StoredEvents = ReadonlyMap<string, StoredEvent>;

/**
 * Adds events that are not stored yet. Stored ones stay as they are: the job that reads their markets writes
 * them, and a second writer would have to take its locks.
 *
 * @returns the events by the provider's id and by slug
 */
async function storeEvents(session: Session, rows: readonly ProviderGameEvent[]): Promise<StoredEvents> {
  const bySlug = new Map(rows.map(({ event, category }) => [event.slug, { ...event, category }]));
  const events = [...bySlug.values()].toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
  const known = await findStored(session, events);
  // An insert waits for a transaction that changes the event, while that one may wait for the events inserted before.
  const missing = events.filter((event) => findEvent(known, { event }) === null);
  if (missing.length === 0) return known;
  await session
    .insert(providerEvents)
    .values(missing.map((event) => ({ ...event, tags: [...event.tags] })))
    .onConflictDoNothing();
  return findStored(session, events);
}

async function findStored(session: Session, events: readonly ProviderEvent[]): Promise<StoredEvents> {
  const stored = await session
    .select({ id: providerEvents.id, providerEventId: providerEvents.providerEventId, slug: providerEvents.slug })
    .from(providerEvents)
    .where(
      or(
        inArray(
          providerEvents.providerEventId,
          events.map(({ providerEventId }) => providerEventId),
        ),
        inArray(
          providerEvents.slug,
          events.map(({ slug }) => slug),
        ),
      ),
    );
  return new Map(
    stored.flatMap((event) => [
      [`slug ${event.slug}`, event] as const,
      ...(event.providerEventId === null ? [] : [[`id ${event.providerEventId}`, event] as const]),
    ]),
  );
}

const findEvent = (events: StoredEvents, { event }: Pick<ProviderGameEvent, "event">): StoredEvent | null =>
  events.get(`id ${event.providerEventId}`) ?? events.get(`slug ${event.slug}`) ?? null;

async function findProviderIds(
  session: Session,
  games: readonly GameRow[],
): Promise<ReadonlyMap<number, string | null>> {
  const ids = games.flatMap(({ eventId }) => eventId ?? []);
  if (ids.length === 0) return new Map();
  const rows = await session
    .select({ id: providerEvents.id, providerEventId: providerEvents.providerEventId })
    .from(providerEvents)
    .where(inArray(providerEvents.id, ids));
  return new Map(rows.map(({ id, providerEventId }) => [id, providerEventId]));
}
