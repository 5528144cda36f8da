import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { id, instant, rowId } from "../../columns.ts";
import { providerEvents } from "./markets.ts";

/** One side of a game, as the provider's event names it. */
export interface StoredCompetitor {
  readonly name: string;
  /** The provider's id within the league; null when it gave none. */
  readonly providerId: string | null;
  readonly abbreviation: string | null;
  readonly logo: string | null;
  /** The season's record, such as `12-4`. */
  readonly record: string | null;
  readonly ordering: "home" | "away" | null;
}

/** The values of a game whose changes are published, as of the last published version. Null: unknown. */
export interface StoredGamePulse {
  readonly status: string | null;
  readonly period: string | null;
  readonly live: boolean | null;
  readonly ended: boolean | null;
  readonly scores: string | null;
  readonly series_format: string | null;
}

/**
 * A sports event: one row for each game of the provider. Its markets are those with the same `game_id`, in
 * the main event and in its child events.
 */
export const games = pgTable(
  "games",
  {
    id: id(),
    /** The provider's game id: a number, or the `id…` name of the score socket. */
    providerGameId: text("provider_game_id").notNull().unique(),
    /** The main event. A game that only child events name has none yet, and is not served. */
    eventId: rowId("event_id").references(() => providerEvents.id),
    /** The main event's slug in lower case: the key of the game route. */
    eventSlug: text("event_slug").unique(),
    /** Whether trading of the main event has closed. */
    eventClosed: boolean("event_closed").notNull().default(false),
    title: text("title"),
    /** The sport bucket, such as `Soccer`; null when no tag names a sport. */
    sport: text("sport"),
    /** The league tag; null for a sport that is covered as a whole. */
    league: text("league"),
    /** Kickoff. A postponed game keeps its slug and moves this. */
    scheduledAt: instant("scheduled_at"),
    /** Home first where the provider says which side is at home, else in its order. */
    competitors: jsonb("competitors").$type<readonly StoredCompetitor[]>().notNull(),
    /** Esports only, such as `Bo3`. */
    seriesFormat: text("series_format"),
    /** The state by the provider's values below, of src/domain/games/game-state.ts. */
    state: text("state").notNull().default("unknown"),
    /** Verbatim; null until a frame or an event gave one. The same holds for the next six columns. */
    providerStatus: text("provider_status"),
    score: text("score"),
    period: text("period"),
    clock: text("clock"),
    live: boolean("live"),
    ended: boolean("ended"),
    finishedAt: instant("finished_at"),
    /** When the provider's event object was last read. */
    observedAt: instant("observed_at").notNull(),
    /** When the score was last read, from a frame or an event; null before the first time. */
    scoresObservedAt: instant("scores_observed_at"),
    /** The provider's own clock of that frame; null when it has none. */
    scoresSourceAt: instant("scores_source_at"),
    /** Where the score was last read: `socket` or `event`. */
    scoresFrom: text("scores_from"),
    /** The index of the competitor to whom the first number of the score belongs; null while unknown. */
    scoreFirst: smallint("score_first"),
    /** Number of published changes. */
    version: integer("version").notNull().default(0),
    /** What the last version said; null until the game is first read. */
    pulse: jsonb("pulse").$type<StoredGamePulse>(),
    /** When the last change was published; null before the first one. */
    pulsedAt: instant("pulsed_at"),
    /** When a change that waits for the rate limit is published; null while none waits. */
    pulseDueAt: instant("pulse_due_at"),
  },
  (table) => [
    index("games_schedule").on(table.scheduledAt, table.eventSlug),
    // A state's games in the order of the list.
    index("games_state").on(table.state, table.scheduledAt, table.eventSlug).concurrently(),
    index("games_event").on(table.eventId),
    index("games_unscheduled")
      .on(table.eventSlug)
      .where(sql`scheduled_at is null`),
    index("games_live")
      .on(table.id)
      .where(sql`live`),
    index("games_pulse_due")
      .on(table.pulseDueAt)
      .where(sql`pulse_due_at is not null`),
  ],
);
