import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { m, o } from "../../db/aliases.ts";
import { games, ingestCheckpoints } from "../../db/schema.ts";
import { alias, epochMs, integer, isoText } from "../../db/sql.ts";
import { BOARD_FEEDS, type BoardHalf } from "../../domain/games/game-board.ts";
import { GAME_STATES, OVERDUE_AFTER_MS, type GameState } from "../../domain/games/game-state.ts";
import { hasLiveBookAt } from "../markets/market-status.ts";
import { at } from "../../db/fragments/market-price.ts";

export const g = alias(games, "g");

const text = z.string().nullable();

const Competitor = z.object({
  name: z.string(),
  providerId: text,
  abbreviation: text,
  logo: text,
  record: text,
});

export const GameMarketRow = z.object({
  id: integer,
  condition_id: z.string(),
  slug: text,
  title: text,
  market_type: text,
  /** When the provider's outcome prices were read; null before the first time. */
  figures_as_of: text,
  /** By outcome index. */
  outcomes: z.array(
    z.object({
      token_id: z.string(),
      label: text,
      /** The provider's outcome price. */
      price: text,
      /** The mark price of the outcome's own live book; null without one. */
      display_price: text,
      display_as_of: text,
    }),
  ),
});

export type GameMarketRow = z.output<typeof GameMarketRow>;

export const GameRow = z.object({
  provider_game_id: z.string(),
  event_slug: z.string(),
  sport: z.string(),
  league: text,
  title: text,
  scheduled_at: text,
  state: z.enum(GAME_STATES),
  provider_status: text,
  period: text,
  clock: text,
  live: z.boolean().nullable(),
  ended: z.boolean().nullable(),
  /** Home first. */
  competitors: z.array(Competitor),
  series_format: text,
  score: text,
  /** The index of the competitor to whom the first number of the score belongs; null while unknown. */
  score_first: z.number().int().nullable(),
  scores_observed_at: text,
  scores_source_at: text,
  /** Ordered by condition id. */
  markets: z.array(GameMarketRow),
});

export type GameRow = z.output<typeof GameRow>;

/** What the two halves of the board know about themselves, ms since the epoch; null before the first read. */
export const BoardRow = z.object({
  live_read_ms: z.number().nullable(),
  upcoming_read_ms: z.number().nullable(),
  sports: z.array(z.string()).nullable(),
  leagues: z.array(z.string()).nullable(),
});

export type BoardRow = z.output<typeof BoardRow>;

const isOverdueAt = (now: Date): SQL =>
  sql`${g.state} = 'scheduled' and ${g.scheduledAt} < ${at(new Date(now.getTime() - OVERDUE_AFTER_MS))}`;

/** A scheduled game whose kickoff is long past, without a sign of play, is in an unknown state. */
const stateAt = (now: Date): SQL => sql`case when ${isOverdueAt(now)} then 'unknown' else ${g.state} end`;

/** Whether `stateAt` is this state, by conditions of the columns, which an index has. */
export function isInState(state: GameState, now: Date): SQL {
  const isStored = sql`${g.state} = ${state}`;
  if (state === "unknown") return sql`(${isStored} or ${isOverdueAt(now)})`;
  return state === "scheduled" ? sql`(${isStored} and (${isOverdueAt(now)}) is not true)` : isStored;
}

/** A game is served once its main event is known, and its sport. */
export const IS_SERVED = sql`${g.eventSlug} is not null and ${g.sport} is not null`;

const outcomesAt = (now: Date): SQL => sql`coalesce((
  select jsonb_agg(jsonb_build_object('token_id', ${o.tokenId}, 'label', ${o.label}, 'price', ${o.price}::text,
    'display_price', (case when ${hasDisplayAt(now)} then ${o.markPrice} end)::text,
    'display_as_of', case when ${hasDisplayAt(now)} then ${isoText(o.bookAsOf)} end) order by ${o.outcomeIndex})
  from ${o} where ${o.marketId} = ${m.id} and ${o.outcomeIndex} is not null), '[]')`;

const hasDisplayAt = (now: Date): SQL => sql`(${o.bookSource} = 'clob_book' and ${hasLiveBookAt(now)})`;

/** The game `g` as JSON, with its markets. */
export const gameJson = (now: Date): SQL => sql`jsonb_build_object(
  'provider_game_id', ${g.providerGameId}, 'event_slug', ${g.eventSlug}, 'sport', ${g.sport}, 'league', ${g.league},
  'title', ${g.title}, 'scheduled_at', ${isoText(g.scheduledAt)}, 'state', ${stateAt(now)},
  'provider_status', ${g.providerStatus}, 'period', ${g.period}, 'clock', ${g.clock}, 'live', ${g.live},
  'ended', ${g.ended}, 'competitors', ${g.competitors}, 'series_format', ${g.seriesFormat}, 'score', ${g.score},
  'score_first', ${g.scoreFirst}, 'scores_observed_at', ${isoText(g.scoresObservedAt)},
  'scores_source_at', ${isoText(g.scoresSourceAt)},
  'markets', coalesce((
    select jsonb_agg(jsonb_build_object('id', ${m.id}, 'condition_id', ${m.conditionId}, 'slug', ${m.slug},
      'title', ${m.title}, 'market_type', ${m.marketType}, 'figures_as_of', ${isoText(m.figuresAsOf)},
      'outcomes', ${outcomesAt(now)}) order by ${m.conditionId})
    from ${m} where ${m.gameId} = ${g.providerGameId}), '[]'))`;

const c = alias(ingestCheckpoints, "c");
const stateOf = (half: BoardHalf): SQL => sql`(select ${c.state} from ${c} where ${c.feed} = ${BOARD_FEEDS[half]})`;

/** The columns of `BoardRow`. */
export const BOARD = sql`select (live->>'readAtMs')::float8 as live_read_ms,
  (upcoming->>'readAtMs')::float8 as upcoming_read_ms, upcoming->'sports' as sports, upcoming->'leagues' as leagues
  from (select ${stateOf("live")} as live, ${stateOf("upcoming")} as upcoming) checkpoints`;

/** The kickoff of the game `g` in milliseconds, for the position of a cursor. */
export const KICKOFF_MS = epochMs(g.scheduledAt);
