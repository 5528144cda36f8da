import { sql, type SQL } from "drizzle-orm";
import {
  BOARD_AHEAD_HOURS,
  BOARD_BEHIND_HOURS,
  EDGE_MARKET_TYPES,
  EDGE_SCAN_MARKETS,
  EDGE_SPORTS,
} from "../../domain/edge/edge-snapshot.ts";
import { HORIZON_HOURS } from "../../scoring/edge/parameters.ts";
import { m } from "../aliases.ts";
import { games } from "../schema.ts";
import { alias, array } from "../sql.ts";
import { isCombinationSql } from "./completeness.ts";

/** A game of the board. */
export const g = alias(games, "g");

/** The game is on the board: a sport of the board, and a kickoff in the board's range. */
export const IS_ON_BOARD: SQL = sql`(${g.eventSlug} is not null and ${g.sport} = any(${array(EDGE_SPORTS, "text")})
  and ${g.scheduledAt} > now() - make_interval(hours => ${BOARD_BEHIND_HOURS})
  and ${g.scheduledAt} <= now() + make_interval(hours => ${BOARD_AHEAD_HOURS}))`;

/** Market `m` belongs to game `g` and has a type of the board. */
export const IS_BOARD_MARKET: SQL = sql`(${m.gameId} = ${g.providerGameId} and ${m.gameId} is not null
  and ${m.marketType} = any(${array(EDGE_MARKET_TYPES, "text")}))`;

/**
 * A select of the ids of the markets whose holders are scanned for the board: open markets of live games, then of the
 * next games.
 */
export const SELECT_SCANNED_MARKETS: SQL = sql`
  select ${m.id} from ${g} join ${m} on ${IS_BOARD_MARKET}
  where ${IS_ON_BOARD} and not coalesce(${g.ended}, false)
    and (${g.live} or ${g.scheduledAt} > now()) and ${g.scheduledAt} <= now() + make_interval(hours => ${HORIZON_HOURS})
    and not ${m.closed} and ${m.payoutsPpm} is null and not ${isCombinationSql(m.conditionId)}
  order by coalesce(${g.live}, false) desc, ${g.scheduledAt}, ${m.marketType}, ${m.id} limit ${EDGE_SCAN_MARKETS}`;
