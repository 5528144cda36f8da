import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { selectRows } from "../../db/sql.ts";
import { BOARD, BoardRow, g, gameJson, GameRow, IS_SERVED } from "./game-rows.ts";

const Row = BoardRow.extend({ game: GameRow.nullable() });

/**
 * The game of an event, also after it has left the board, with what is known about the board. `game` is null
 * for an event that is not a covered game.
 *
 * @param slug in any case
 */
export async function findGame(
  db: Database,
  slug: string,
  now: Date,
): Promise<{ readonly game: GameRow | null; readonly board: BoardRow }> {
  const rows = await selectRows(
    db,
    sql`with board as (${BOARD}) select board.*, found.game from board
      left join (select ${gameJson(now)} as game from ${g}
        where ${IS_SERVED} and ${g.eventSlug} = ${slug.toLowerCase()}) found on true`,
    Row,
  );
  const { game = null, live_read_ms = null, upcoming_read_ms = null, sports = null, leagues = null } = rows[0] ?? {};
  return { game, board: { live_read_ms, upcoming_read_ms, sports, leagues } };
}
