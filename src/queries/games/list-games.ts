import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { at } from "../../db/fragments/market-price.ts";
import { allOf, selectRows } from "../../db/sql.ts";
import { LISTED_AFTER_MS, LONGEST_GAME_MS } from "../../domain/games/game-board.ts";
import { OVERDUE_AFTER_MS, type GameState } from "../../domain/games/game-state.ts";
import type { PageRequest } from "../page-request.ts";
import { BOARD, BoardRow, g, gameJson, GameRow, isInState, IS_SERVED, KICKOFF_MS } from "./game-rows.ts";

export interface GameFilter {
  readonly sport: string | null;
  readonly league: string | null;
  readonly state: GameState | null;
  /** Both inclusive. With a bound, games without a kickoff are left out. */
  readonly startsAfter: Date | null;
  readonly startsBefore: Date | null;
}

/** The last game of a page; null for a game without a kickoff. */
export interface GamePosition {
  readonly kickoffMs: number | null;
  readonly slug: string;
}

export interface GamePage {
  /** One more than the limit when there is a next page. */
  readonly rows: readonly { readonly game: GameRow; readonly position: GamePosition }[];
  readonly board: BoardRow;
}

const Row = BoardRow.extend({
  game: GameRow.nullable(),
  kickoff_ms: z.number().nullable(),
});

/**
 * Lists the games of the board by kickoff, then by slug; games without a kickoff come last. A game stays on the
 * board while it is in play, and for 48 hours after its kickoff and after its end.
 */
export async function listGames(
  db: Database,
  filter: GameFilter,
  page: PageRequest<GamePosition>,
  now: Date,
): Promise<GamePage> {
  const rows = await selectRows(db, selectGames(filter, page, now), Row);
  const { live_read_ms = null, upcoming_read_ms = null, sports = null, leagues = null } = rows[0] ?? {};
  return {
    rows: rows.flatMap(({ game, kickoff_ms: kickoffMs }) =>
      game === null ? [] : [{ game, position: { kickoffMs, slug: game.event_slug } }],
    ),
    board: { live_read_ms, upcoming_read_ms, sports, leagues },
  };
}

export function selectGames(filter: GameFilter, { cursor, limit }: PageRequest<GamePosition>, now: Date): SQL {
  const passes = allOf([
    IS_SERVED,
    filter.sport === null ? null : sql`${g.sport} = ${filter.sport}`,
    filter.league === null ? null : sql`${g.league} = ${filter.league}`,
    filter.state === null ? null : isInState(filter.state, now),
  ]);
  const isBounded = filter.startsAfter !== null || filter.startsBefore !== null;
  // Two scans in index order: one over both kinds of games would sort the whole board.
  const known = sql`select g.*, 0 as rank from ${g}
    where ${passes} and ${isOnBoard(filter, now)} and ${isAfter(cursor)}
    order by ${g.scheduledAt}, ${g.eventSlug} limit ${limit + 1}`;
  const unknown = sql`select g.*, 1 as rank from ${g}
    where ${passes} and ${g.scheduledAt} is null and ${isBounded ? sql`false` : isAfterUnknown(cursor)}
    order by ${g.eventSlug} limit ${limit + 1}`;
  return sql`with board as (${BOARD}), page as (
      select * from ((${known}) union all (${unknown})) both_kinds
      order by rank, scheduled_at, event_slug limit ${limit + 1}
    ), shown as (
      select rank, ${g.scheduledAt}, ${g.eventSlug}, ${KICKOFF_MS} as kickoff_ms, ${gameJson(now)} as game
      from page g
    )
    select board.*, shown.game, shown.kickoff_ms from board left join shown on true
    order by shown.rank, shown.scheduled_at, shown.event_slug`;
}

function isOnBoard({ state, startsAfter, startsBefore }: GameFilter, now: Date): SQL {
  const before = (ms: number) => at(new Date(now.getTime() - ms));
  // A scheduled game is shown as unknown from then on.
  const oldest = new Date(now.getTime() - (state === "scheduled" ? OVERDUE_AFTER_MS : LONGEST_GAME_MS));
  const from = startsAfter !== null && startsAfter > oldest ? startsAfter : oldest;
  return allOf([
    sql`${g.scheduledAt} >= ${at(from)}`,
    startsBefore === null ? null : sql`${g.scheduledAt} <= ${at(startsBefore)}`,
    sql`(${g.scheduledAt} >= ${before(LISTED_AFTER_MS)} or ${g.live} or ${g.finishedAt} >= ${before(LISTED_AFTER_MS)})`,
  ]);
}

function isAfter(cursor: GamePosition | null): SQL {
  if (cursor === null) return sql`true`;
  if (cursor.kickoffMs === null) return sql`false`;
  return sql`(${g.scheduledAt}, ${g.eventSlug}) > (${at(new Date(cursor.kickoffMs))}, ${cursor.slug})`;
}

const isAfterUnknown = (cursor: GamePosition | null): SQL =>
  cursor === null || cursor.kickoffMs !== null ? sql`true` : sql`${g.eventSlug} > ${cursor.slug}`;
