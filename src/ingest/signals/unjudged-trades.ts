import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import { e, l, m, o, s, t } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { hasTwoOutcomes } from "../../db/fragments/binary-market.ts";
import { isHistoryKnown } from "../../db/fragments/completeness.ts";
import { FILL_NAME } from "../../db/fragments/fill-name.ts";
import type { outcomes } from "../../db/schema.ts";
import { array, selectRows, type Columns } from "../../db/sql.ts";
import { IS_TRADER_READ, TAKER_FEED_RANGE, IS_FEED_READ } from "./trade-readiness.ts";

const FillRow = z.object({
  tx: z.string(),
  traded_ms: z.number(),
  side: z.enum(["BUY", "SELL"]),
  outcome_index: z.number().nullable(),
  usd_micro: z.string(),
  shares_micro: z.string(),
});

const TraderHistoryRow = z.object({
  /** Null for a trader without earlier trades. */
  first_ms: z.number().nullable(),
  other_markets: z.number(),
  usd_micro: z.string(),
});

const UnjudgedTrade = z.object({
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
  /**
   * All shares traded in the market up to the trade; null unless our record of them is complete and within
   * the bounds.
   */
  market_shares_micro: z.string().nullable(),
  /**
   * The trader's trades before the trade's second; null unless the whole history is recorded and within the
   * bounds.
   */
  history: TraderHistoryRow.nullable(),
  /**
   * The trader's fills in the market in the 24 hours up to the trade; null unless all are recorded and within
   * the bounds.
   */
  fills: z.array(FillRow).nullable(),
});

/** A large trade to judge, with the recorded data up to its time. Amounts are millionths, as text. */
export type UnjudgedTrade = z.output<typeof UnjudgedTrade>;

/**
 * Maximum numbers of entries to read. Beyond them the input is unknown and adds no suspicion: a trader with
 * that many trades is not new, no trader slices one position that finely, and in a market with that many
 * fills one large trade is a tiny share. Without a bound one trader or market would block all others.
 */
export interface ReadBounds {
  /** Of the trader, over its whole history. */
  readonly own: number;
  /** Of each market, over its whole history. */
  readonly market: number;
  /** Of the trader in the market, in 24 hours. */
  readonly day: number;
}

export const READ_BOUNDS: ReadBounds = { own: 20_000, market: 200_000, day: 2_000 };

/** The outcome index: YES or NO only in markets of exactly two outcomes, else null. */
const sideOf = (outcome: Columns<typeof outcomes, "outcomeIndex">, marketId: AnyPgColumn): SQL =>
  sql`case when ${hasTwoOutcomes(marketId)} then ${outcome.outcomeIndex} end`;

/** `due`: the trades, and what has been read up to each. */
const dueTrades = (ids: readonly string[]): SQL => sql`
  due as materialized (
    select l.*, ${sideOf(o, l.marketId)} as outcome_index, ${m.conditionId}, ${t.address},
      ${FILL_NAME} as fill_name, coalesce(${IS_TRADER_READ}, false) as is_covered,
      coalesce(${IS_TRADER_READ} and ${isHistoryKnown(s)}, false) as has_history,
      coalesce(${IS_FEED_READ} and ${m.providerCreatedAt} >= feed.read_from, false) as is_market_read
    from ${TAKER_FEED_RANGE}, ${l}
    join ${t} on ${t.id} = ${l.traderId}
    join ${m} on ${m.id} = ${l.marketId}
    join ${o} on ${o.id} = ${l.outcomeId}
    join ${e} on ${e.id} = ${l.entryId}
    left join ${s} on ${s.traderId} = ${l.traderId}
    where ${l.id} = any(${array(ids, "bigint")}) and ${l.judgedAt} is null
  )`;

/** The trader's ledger, if a trade needs it: `own` fills, `own_markets`; `own_read` says if it is whole. */
const ownHistory = (traderId: string, maxEntries: number): SQL => sql`
  own_entries as materialized (
    select ${e.marketId}, ${e.tradedAt}, ${e.usdMicro}, ${e.kind} from ${e}
    where ${e.traderId} = ${traderId} and exists (select from due where has_history) limit ${maxEntries}::int + 1
  ), own as (
    select * from own_entries where kind in ('buy', 'sell')
  ), own_markets as materialized (
    select market_id, min(traded_at) as first_at from own group by market_id
  ), own_read as materialized (
    select count(*) <= ${maxEntries}::int as is_whole from own_entries
  )`;

/** `market_seconds`: the shares traded in each second of the markets whose record is complete. */
const marketHistory = (maxEntries: number): SQL => sql`
  market_entries as materialized (
    select entry.* from (
      select market_id, max(traded_at) as last_at from due where is_market_read group by market_id
    ) d
    cross join lateral (
      select ${e.marketId}, ${e.tradedAt}, ${e.sharesMicro}, ${e.role} from ${e}
      where ${e.marketId} = d.market_id and ${e.tradedAt} <= d.last_at limit ${maxEntries}::int + 1
    ) entry
  ), markets_read as materialized (
    select market_id from market_entries group by market_id having count(*) <= ${maxEntries}::int
  ), market_seconds as materialized (
    select market_id, traded_at, sum(shares_micro) as shares_micro
    from market_entries join markets_read using (market_id) where role = 'taker' group by market_id, traded_at
  )`;

const HISTORY_BEFORE_TRADE: SQL = sql`jsonb_build_object(
  'first_ms', (select extract(epoch from min(x.first_at)) * 1000 from own_markets x where x.first_at < d.traded_at),
  'other_markets', (select count(*) from own_markets x where x.first_at < d.traded_at
    and x.market_id <> d.market_id),
  'usd_micro', (select coalesce(sum(x.usd_micro), 0)::text from own x where x.traded_at < d.traded_at))`;

/** The fills of the 24 hours up to the trade `d` as JSON; null beyond the bound. */
const fillsOfDay = (maxEntries: number): SQL => sql`
  select case when count(*) <= ${maxEntries}::int then
    coalesce(jsonb_agg(jsonb_build_object('tx', encode(f.tx_hash, 'hex'), 'traded_ms',
      extract(epoch from f.traded_at) * 1000,
      'side', upper(f.kind), 'outcome_index', f.outcome_index, 'usd_micro', f.usd_micro::text,
      'shares_micro', f.shares_micro::text)), '[]') end
  from (
    select ${e.txHash}, ${e.tradedAt}, ${e.kind}, ${e.usdMicro}, ${e.sharesMicro},
      ${sideOf(o, e.marketId)} as outcome_index
    from ${o} join ${e} on ${e.outcomeId} = ${o.id} and ${e.traderId} = d.trader_id
    where ${o.marketId} = d.market_id and ${e.kind} in ('buy', 'sell')
      and ${e.tradedAt} > d.traded_at - interval '24 hours' and ${e.tradedAt} <= d.traded_at
    limit ${maxEntries}::int + 1
  ) f`;

/**
 * Reads large trades of one trader that are not judged yet, with the recorded data up to each. Events within
 * a trade's own second have no order. The trader's history therefore ends before that second, while the day's
 * fills and the market's shares include it.
 *
 * The trader's ledger and that of each market are read once for all the trades, up to the bounds.
 */
export const readUnjudgedTrades = (
  session: Session,
  traderId: string,
  ids: readonly string[],
  bounds: ReadBounds,
): Promise<UnjudgedTrade[]> =>
  selectRows(
    session,
    sql`with ${dueTrades(ids)}, ${ownHistory(traderId, bounds.own)}, ${marketHistory(bounds.market)}
     select d.id, d.trader_id, d.address, d.market_id, d.condition_id, d.fill_name, d.side, d.outcome_index, d.size_usd_micro,
       d.shares_micro, d.price,
       (extract(epoch from d.traded_at) * 1000)::float8 as traded_ms,
       case when d.is_market_read then (
         select sum(x.shares_micro)::text from market_seconds x where x.market_id = d.market_id
           and x.traded_at <= d.traded_at
       ) end as market_shares_micro,
       case when d.has_history and (select is_whole from own_read) then ${HISTORY_BEFORE_TRADE} end as history,
       case when d.is_covered then (${fillsOfDay(bounds.day)}) end as fills
     from due d order by d.traded_at, d.id`,
    UnjudgedTrade,
  );
