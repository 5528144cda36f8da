import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, l, m, o, s, t, totals } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isCombinationSql, isHistoryKnown } from "../../db/fragments/completeness.ts";
import { FILL_NAME } from "../../db/fragments/fill-name.ts";
import { epochMs, selectRows, timestamp } from "../../db/sql.ts";
import { sideOf } from "./trade-side.ts";
import { IS_TRADER_READ, TAKER_FEED_RANGE, IS_FEED_READ } from "./trade-readiness.ts";

/**
 * A trade whose trader or market is still unread after this long is judged without it. Data that arrives
 * later does not change the verdict.
 */
const MAX_WAIT_HOURS = 6;

/** Trades that one run judges. */
export const TRADES_AT_ONCE = 500;

const DueTrade = z.object({
  id: z.string(),
  trader_id: z.string(),
  address: z.string(),
  market_id: z.string(),
  condition_id: z.string(),
  side: z.enum(["BUY", "SELL"]),
  /** See `FILL_NAME`. */
  fill_name: z.string(),
  /** 0 is YES, 1 is NO; null in markets of more than two outcomes and while the market has not been read. */
  outcome_index: z.number().nullable(),
  size_usd_micro: z.string(),
  shares_micro: z.string(),
  price: z.string(),
  traded_ms: z.number(),
  /** The trader's activity has been read up to the trade. */
  is_covered: z.boolean(),
  /** The same, and it is the trader's whole history. */
  has_history: z.boolean(),
  /** All takers' trades of the market have been read, from its creation up to the trade. */
  is_market_read: z.boolean(),
  /** The number of the trader's ledger entries at any time. */
  entry_count: z.number(),
});

/** A large trade to judge. Amounts are millionths, as text. */
export type DueTrade = z.output<typeof DueTrade>;

/**
 * `due`: the oldest trades that can be judged, and what has been read up to each. Materialized, so that the
 * rest of the statement is evaluated for these trades only.
 */
const oldestDue = (now: Date): SQL => sql`
  due as materialized (
    select ${l.id}, coalesce(${IS_TRADER_READ}, false) as is_covered,
      coalesce(${IS_TRADER_READ} and ${isHistoryKnown(s)}, false) as has_history,
      coalesce(${IS_FEED_READ} and ${m.providerCreatedAt} >= feed.read_from, false) as is_market_read
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
  )`;

/**
 * The oldest large trades that can be judged now, oldest first. The trader's history and the takers' feed must
 * be read up to the trade, and its market must be hydrated and no combination; or the trade has waited for
 * MAX_WAIT_HOURS.
 */
export const listDueTrades = (session: Session, now: Date): Promise<DueTrade[]> =>
  selectRows(
    session,
    sql`with ${oldestDue(now)}
     select ${l.id}, ${l.traderId}, ${t.address}, ${l.marketId}, ${m.conditionId}, ${l.side}, ${FILL_NAME} as fill_name,
       ${sideOf(o, l.marketId)} as outcome_index, ${l.sizeUsdMicro}, ${l.sharesMicro}, ${l.price},
       ${epochMs(l.tradedAt)} as traded_ms, due.is_covered, due.has_history, due.is_market_read,
       coalesce(${totals.entryCount}, 0) as entry_count
     from due
     join ${l} on ${l.id} = due.id
     join ${t} on ${t.id} = ${l.traderId}
     join ${m} on ${m.id} = ${l.marketId}
     join ${o} on ${o.id} = ${l.outcomeId}
     join ${e} on ${e.id} = ${l.entryId}
     left join ${totals} on ${totals.traderId} = ${l.traderId}
     order by ${l.tradedAt}, ${l.id}`,
    DueTrade,
  );
