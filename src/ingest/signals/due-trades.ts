import type { Session } from "../../db/client.ts";
import { COVERED, FEED, FEED_REACHED } from "./trade-readiness.ts";

/** A trade whose wallet or market still has not been read after this long is judged without. What is learned later does not change it. */
const LONGEST_WAIT_HOURS = 6;
const TRADES_AT_ONCE = 50;

/** Trades of one wallet that are judged together. */
export interface DueTrades {
  readonly trader_id: string;
  readonly ids: readonly string[];
}

/**
 * The oldest large trades that can be judged now, by wallet: their wallet's history is read up to them, the takers' feed too, and their market
 * is known; or one of these has been waited for long enough.
 */
export async function listDueTrades(session: Session, now: Date): Promise<DueTrades[]> {
  const { rows } = await session.query<DueTrades>(
    `select due.trader_id, array_agg(due.id::text order by due.traded_at, due.id) as ids
     from (
       select l.id, l.trader_id, l.traded_at
       from ${FEED}, large_trades l
       join markets m on m.id = l.market_id
       join outcomes o on o.id = l.outcome_id
       left join wallet_syncs s on s.trader_id = l.trader_id
       where l.judged_at is null and (
         (${COVERED} and ${FEED_REACHED} and m.hydrated_at is not null and o.outcome_index is not null)
         or l.recorded_at <= $1::timestamptz - make_interval(hours => $2)
       )
       order by l.traded_at, l.id limit $3
     ) due
     group by due.trader_id order by min(due.traded_at), due.trader_id`,
    [now.toISOString(), LONGEST_WAIT_HOURS, TRADES_AT_ONCE],
  );
  return rows;
}
