import type { Session } from "../../db/client.ts";
import { isHistoryKnown } from "../../db/completeness.ts";
import { COVERED, FEED, FEED_REACHED } from "./trade-readiness.ts";

/** A large trade to judge, with what was recorded of the time up to it. Amounts are millionths, as text. */
export interface UnjudgedTrade {
  readonly id: string;
  readonly trader_id: string;
  readonly address: string;
  readonly market_id: string;
  readonly condition_id: string;
  readonly side: "BUY" | "SELL";
  /** 0 is YES, 1 is NO; null in markets of more outcomes and while the market has not been read. */
  readonly outcome_index: number | null;
  readonly size_usd_micro: string;
  readonly shares_micro: string;
  readonly price: string;
  readonly traded_ms: number;
  /** All shares traded in the market by then; null unless our record of them is whole, and short enough to be read. */
  readonly market_shares_micro: string | null;
  /** What its wallet had traded before the trade's second; null unless its whole history is recorded, and short enough to be read. */
  readonly wallet: WalletBeforeRow | null;
  /** What its wallet traded in the market in the 24 hours up to the trade; null unless these are all recorded, and few enough to be read. */
  readonly fills: readonly FillRow[] | null;
}

interface WalletBeforeRow {
  /** Null for a wallet that had never traded. */
  readonly first_ms: number | null;
  readonly other_markets: number;
  readonly usd_micro: string;
}

interface FillRow {
  readonly tx: string;
  readonly traded_ms: number;
  readonly side: "BUY" | "SELL";
  readonly outcome_index: number | null;
  readonly usd_micro: string;
  readonly shares_micro: string;
}

/**
 * How many entries are read at most. Beyond them what they would tell is not known, and accuses nobody: no wallet with that many trades is
 * new to trading, nobody slices one position that finely, and in a market with that many fills a large trade is hardly a share. Without a
 * bound one wallet or market would keep all others waiting.
 */
export interface ReadBounds {
  /** Of the wallet, all its life. */
  readonly own: number;
  /** Of each market, all its life. */
  readonly market: number;
  /** Of the wallet in the market, in 24 hours. */
  readonly day: number;
}

export const READ_BOUNDS: ReadBounds = { own: 20_000, market: 200_000, day: 2_000 };

/** YES and NO only where the market has just these two. */
const sideOf = (outcome: string, market: string) =>
  `case when not exists (select from outcomes x where x.market_id = ${market} and x.outcome_index > 1) then ${outcome}.outcome_index end`;

/**
 * Large trades of one wallet that are not judged yet, with what was recorded of the time up to each. What happened in a trade's own second has
 * no order, so a wallet's history is what lies before it, while the day's fills and the market's shares include it.
 *
 * The wallet's ledger and each market's are gone through once for all the trades, up to the bounds.
 */
export async function readUnjudgedTrades(
  session: Session,
  traderId: string,
  ids: readonly string[],
  bounds: ReadBounds,
): Promise<UnjudgedTrade[]> {
  const { rows } = await session.query<UnjudgedTrade>(
    `with due as materialized (
       select l.*, ${sideOf("o", "l.market_id")} as outcome_index, m.condition_id, t.address,
         coalesce(${COVERED}, false) as is_covered,
         coalesce(${COVERED} and ${isHistoryKnown("s")}, false) as has_history,
         coalesce(${FEED_REACHED} and m.provider_created_at >= feed.read_from, false) as is_market_read
       from ${FEED}, large_trades l
       join traders t on t.id = l.trader_id
       join markets m on m.id = l.market_id
       join outcomes o on o.id = l.outcome_id
       left join wallet_syncs s on s.trader_id = l.trader_id
       where l.id = any($2::bigint[]) and l.judged_at is null
     ), own_entries as materialized (
       select market_id, traded_at, usd_micro, kind from ledger_entries
       where trader_id = $1 and exists (select from due where has_history) limit $3::int + 1
     ), own as (
       select * from own_entries where kind in ('buy', 'sell')
     ), own_markets as materialized (
       select market_id, min(traded_at) as first_at from own group by market_id
     ), own_read as materialized (
       select count(*) <= $3::int as is_whole from own_entries
     ), market_entries as materialized (
       select e.* from (select market_id, max(traded_at) as last_at from due where is_market_read group by market_id) d
       cross join lateral (
         select e.market_id, e.traded_at, e.shares_micro, e.role from ledger_entries e
         where e.market_id = d.market_id and e.traded_at <= d.last_at limit $4::int + 1
       ) e
     ), markets_read as materialized (
       select market_id from market_entries group by market_id having count(*) <= $4::int
     ), market_seconds as materialized (
       select market_id, traded_at, sum(shares_micro) as shares_micro
       from market_entries join markets_read using (market_id) where role = 'taker' group by market_id, traded_at
     )
     select d.id, d.trader_id, d.address, d.market_id, d.condition_id, d.side, d.outcome_index, d.size_usd_micro, d.shares_micro, d.price,
       (extract(epoch from d.traded_at) * 1000)::float8 as traded_ms,
       case when d.is_market_read then (
         select sum(x.shares_micro)::text from market_seconds x where x.market_id = d.market_id and x.traded_at <= d.traded_at
       ) end as market_shares_micro,
       case when d.has_history and (select is_whole from own_read) then jsonb_build_object(
         'first_ms', (select extract(epoch from min(x.first_at)) * 1000 from own_markets x where x.first_at < d.traded_at),
         'other_markets', (select count(*) from own_markets x where x.first_at < d.traded_at and x.market_id <> d.market_id),
         'usd_micro', (select coalesce(sum(x.usd_micro), 0)::text from own x where x.traded_at < d.traded_at)
       ) end as wallet,
       case when d.is_covered then (
         select case when count(*) <= $5::int then
           coalesce(jsonb_agg(jsonb_build_object('tx', encode(f.tx_hash, 'hex'), 'traded_ms', extract(epoch from f.traded_at) * 1000,
             'side', upper(f.kind), 'outcome_index', f.outcome_index, 'usd_micro', f.usd_micro::text,
             'shares_micro', f.shares_micro::text)), '[]') end
         from (
           select e.tx_hash, e.traded_at, e.kind, e.usd_micro, e.shares_micro, ${sideOf("eo", "e.market_id")} as outcome_index
           from outcomes eo join ledger_entries e on e.outcome_id = eo.id and e.trader_id = d.trader_id
           where eo.market_id = d.market_id and e.kind in ('buy', 'sell')
             and e.traded_at > d.traded_at - interval '24 hours' and e.traded_at <= d.traded_at
           limit $5::int + 1
         ) f
       ) end as fills
     from due d order by d.traded_at, d.id`,
    [traderId, ids, bounds.own, bounds.market, bounds.day],
  );
  return rows;
}
