import { sql } from "drizzle-orm";
import { z } from "zod";
import { l, m, o, s } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isCombinationSql } from "../../db/fragments/completeness.ts";
import { selectRows, timestamp } from "../../db/sql.ts";
import { IS_TRADER_READ, TAKER_FEED_RANGE, IS_FEED_READ } from "./trade-readiness.ts";

/**
 * A trade whose trader or market is still unread after this long is judged without it. Data that arrives
 * later does not change the verdict.
 */
const MAX_WAIT_HOURS = 6;
const TRADES_AT_ONCE = 50;

const DueTrades = z.object({ trader_id: z.string(), ids: z.array(z.string()) });

/** Trades of one trader that are judged together. */
export type DueTrades = z.output<typeof DueTrades>;

/**
 * The oldest large trades that can be judged now, by trader. The trader's history and the takers' feed must
 * be read up to the trade, and its market must be hydrated and no combination; or the trade has waited for
 * MAX_WAIT_HOURS.
 */
export const listDueTrades = (session: Session, now: Date): Promise<DueTrades[]> =>
  selectRows(
    session,
    sql`select due.trader_id, array_agg(due.id::text order by due.traded_at, due.id) as ids
     from (
       select ${l.id}, ${l.traderId}, ${l.tradedAt}
       from ${TAKER_FEED_RANGE}, ${l}
       join ${m} on ${m.id} = ${l.marketId}
       join ${o} on ${o.id} = ${l.outcomeId}
       left join ${s} on ${s.traderId} = ${l.traderId}
       where ${l.judgedAt} is null and (
         (${IS_TRADER_READ} and ${IS_FEED_READ} and ${m.hydratedAt} is not null and ${o.outcomeIndex} is not null
           and not ${isCombinationSql(m.conditionId)})
         or ${l.recordedAt} <= ${timestamp(now)} - make_interval(hours => ${MAX_WAIT_HOURS})
       )
       order by ${l.tradedAt}, ${l.id} limit ${TRADES_AT_ONCE}
     ) due
     group by due.trader_id order by min(due.traded_at), due.trader_id`,
    DueTrades,
  );
