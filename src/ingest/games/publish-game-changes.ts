import { parseGameScore } from "../../domain/games/game-score.ts";
import type { StoredCompetitor, StoredGamePulse } from "../../db/schema.ts";
import type { OutboxEvent } from "../../events/outbox/publish-events.ts";
import type { GameRow } from "./stored-game.ts";

/** The least time between two published changes of a game. The start and the end of play do not wait. */
const PULSE_EVERY_MS = 20_000;
const UNLIMITED: readonly string[] = ["live", "ended"];

type LiveSportsEvent = Extract<OutboxEvent, { readonly type: "live_sports_updated" }>;

/**
 * Decides whether a game's changes since its last published version are published now. Changes that the rate
 * limit holds back get a due time; the newest state is published then. The clock alone is no change.
 *
 * @returns the row to store, and the event in the same transaction or null
 */
export function decideGamePulse(game: GameRow, now: Date): { game: GameRow; event: LiveSportsEvent | null } {
  const pulse = pulseOf(game);
  // The first state that is read is not a change.
  if (game.pulse === null) return { game: { ...game, pulse }, event: null };
  const changed = changedFields(game.pulse, pulse);
  if (changed.length === 0 || game.eventSlug === null) return { game: { ...game, pulseDueAt: null }, event: null };
  const dueAt = game.pulsedAt === null ? null : new Date(game.pulsedAt.getTime() + PULSE_EVERY_MS);
  if (dueAt !== null && dueAt > now && !changed.some((field) => UNLIMITED.includes(field)))
    return { game: { ...game, pulseDueAt: dueAt }, event: null };
  const published = { ...game, pulse, pulsedAt: now, pulseDueAt: null, version: game.version + 1 };
  return { game: published, event: eventOf(published, game.eventSlug, changed, now) };
}

const pulseOf = (game: GameRow): StoredGamePulse => ({
  status: game.providerStatus,
  period: game.period,
  live: game.live,
  ended: game.ended,
  scores: game.score,
  series_format: game.seriesFormat,
});

const FIELDS: readonly (keyof StoredGamePulse)[] = ["status", "period", "live", "ended", "scores", "series_format"];

const changedFields = (before: StoredGamePulse, after: StoredGamePulse): string[] =>
  FIELDS.filter((field) => before[field] !== after[field]);

function eventOf(game: GameRow, slug: string, changed: string[], now: Date): LiveSportsEvent {
  return {
    type: "live_sports_updated",
    payload: {
      event_slug: slug,
      game_id: game.providerGameId,
      ...given({ league: game.league }),
      version: game.version,
      changed,
      observed_at: (game.scoresObservedAt ?? game.observedAt).toISOString(),
      published_at: now.toISOString(),
      ...given({
        status: game.providerStatus,
        period: game.period,
        clock: game.clock,
        live: game.live,
        ended: game.ended,
        series_format: game.seriesFormat,
      }),
      ...scoresOf(game),
      snapshot_url: `/api/v1/games/${slug}`,
    },
  };
}

function scoresOf({ score, scoreFirst, competitors }: GameRow) {
  const sides = score === null ? null : (parseGameScore(score)?.sides ?? null);
  if (sides === null || scoreFirst === null || competitors.length !== 2) return {};
  const scores = competitors.map((competitor, index) => {
    const side = sides[index === scoreFirst ? 0 : 1];
    return { ...namesOf(competitor), score: side.text, ...given({ map_score: side.map }) };
  });
  return { scores };
}

function namesOf({ name, abbreviation }: StoredCompetitor) {
  const team = abbreviation?.toUpperCase() ?? name;
  return team === name ? { team } : { team, full_name: name };
}

/** The fields that are known. */
function given<Fields extends Readonly<Record<string, unknown>>>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], null> } {
  // Only nulls are left out, so the remaining values have the declared types.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], null>;
  };
}
