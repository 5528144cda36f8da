import { sql } from "drizzle-orm";
import { m } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isGameOff } from "../../db/fragments/game-off.ts";
import { games } from "../../db/schema.ts";
import { alias, timestamp } from "../../db/sql.ts";
import { RELEASE_BEFORE_MS, SELECTION_HORIZON_MS } from "../../domain/picks/pick-schedule.ts";
import { g, k } from "../../db/fragments/picks.ts";
import { readGameMarkets, type GameMarket } from "./read-candidates.ts";

/** Markets that a pass considers: those with the most volume. The holders of each are scanned every minute. */
const MARKETS_CONSIDERED = 40;

const twin = alias(games, "twin");
const sidesOf = (game: typeof g | typeof twin) => sql`jsonb_path_query_array(${game.competitors}, '$[*].name')`;

/**
 * The provider lists the game `g` under an older number too: the same sides at the same time in the same league. Two
 * games of a day, as in baseball, differ in their time. Containment both ways, because the order of the sides differs.
 */
const isListedTwice = sql`exists (
  select from ${twin} where ${twin.scheduledAt} = ${g.scheduledAt} and ${twin.id} < ${g.id} and ${twin.eventId} is not null
    and ${twin.sport} = ${g.sport} and ${twin.league} is not distinct from ${g.league} and not ${isGameOff(twin)}
    and jsonb_array_length(${g.competitors}) > 0
    and ${sidesOf(twin)} @> ${sidesOf(g)} and ${sidesOf(g)} @> ${sidesOf(twin)})`;

/** The markets that a pass may select: of games that are released in the future and start within twelve hours. */
export function listCandidates(session: Session, now: Date): Promise<GameMarket[]> {
  const from = new Date(now.getTime() + RELEASE_BEFORE_MS);
  const to = new Date(now.getTime() + SELECTION_HORIZON_MS);
  return readGameMarkets(
    session,
    sql`${g.scheduledAt} > ${timestamp(from)} and ${g.scheduledAt} <= ${timestamp(to)}
      and ${g.scheduledAt} = date_trunc('second', ${g.scheduledAt}) and ${g.eventId} is not null and ${g.sport} is not null
      and ${g.live} is not true and ${g.ended} is not true and not ${isGameOff(g)} and not ${isListedTwice}
      and not ${m.closed} and ${m.payoutsPpm} is null
      and not exists (select from ${k} where ${k.marketId} = ${m.id})`,
    now,
    sql`order by ${m.volumeUsd} desc nulls last, ${m.id} limit ${MARKETS_CONSIDERED}`,
  );
}
