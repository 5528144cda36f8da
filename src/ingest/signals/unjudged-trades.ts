import type { Session } from "../../db/client.ts";
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
  /** All shares traded in the market by then; null unless our record of them is whole. */
  readonly market_shares_micro: string | null;
  /** What its wallet had traded before the trade's second; null unless its whole history has been read. */
  readonly wallet: WalletBeforeRow | null;
  /** What its wallet traded in the market in the 24 hours up to the trade; null unless its trades of that time have been read. */
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

/** YES and NO only where the market has just these two. */
const sideOf = (outcome: string, market: string) =>
  `case when not exists (select from outcomes x where x.market_id = ${market} and x.outcome_index > 1) then ${outcome}.outcome_index end`;

/**
 * Large trades of one wallet that are not judged yet, with what was recorded of the time up to each. What happened in a trade's own second has
 * no order, so a wallet's history is what lies before it, while the day's fills and the market's shares include it.
 *
 * The wallet's ledger and each market's are gone through once for all the trades: either may have hundreds of thousands of entries.
 */
export async function readUnjudgedTrades(session: Session, traderId: string, ids: readonly string[]): Promise<UnjudgedTrade[]> {
  const { rows } = await session.query<UnjudgedTrade>(
    `with due as materialized (
       select l.*, ${sideOf("o", "l.market_id")} as outcome_index, m.condition_id, t.address,
         coalesce(${COVERED}, false) as is_covered,
         coalesce(${COVERED} and s.gaps = '{}', false) as has_history,
         coalesce(${FEED_REACHED} and m.provider_created_at >= feed.read_from, false) as is_market_read
       from ${FEED}, large_trades l
       join traders t on t.id = l.trader_id
       join markets m on m.id = l.market_id
       join outcomes o on o.id = l.outcome_id
       left join wallet_syncs s on s.trader_id = l.trader_id
       where l.id = any($2::bigint[]) and l.judged_at is null
     ), own as materialized (
       select market_id, traded_at, usd_micro from ledger_entries
       where trader_id = $1 and kind in ('buy', 'sell') and exists (select from due where has_history)
     ), own_markets as materialized (
       select market_id, min(traded_at) as first_at from own group by market_id
     ), market_seconds as materialized (
       select e.market_id, e.traded_at, sum(e.shares_micro) as shares_micro
       from (select market_id, max(traded_at) as last_at from due where is_market_read group by market_id) d
       join ledger_entries e on e.market_id = d.market_id and e.traded_at <= d.last_at
       where e.role = 'taker' group by e.market_id, e.traded_at
     )
     select d.id, d.trader_id, d.address, d.market_id, d.condition_id, d.side, d.outcome_index, d.size_usd_micro, d.shares_micro, d.price,
       (extract(epoch from d.traded_at) * 1000)::float8 as traded_ms,
       case when d.is_market_read then (
         select sum(x.shares_micro)::text from market_seconds x where x.market_id = d.market_id and x.traded_at <= d.traded_at
       ) end as market_shares_micro,
       case when d.has_history then jsonb_build_object(
         'first_ms', (select extract(epoch from min(x.first_at)) * 1000 from own_markets x where x.first_at < d.traded_at),
         'other_markets', (select count(*) from own_markets x where x.first_at < d.traded_at and x.market_id <> d.market_id),
         'usd_micro', (select coalesce(sum(x.usd_micro), 0)::text from own x where x.traded_at < d.traded_at)
       ) end as wallet,
       case when d.is_covered then (
         select coalesce(jsonb_agg(jsonb_build_object('tx', encode(e.tx_hash, 'hex'), 'traded_ms', extract(epoch from e.traded_at) * 1000,
           'side', upper(e.kind), 'outcome_index', ${sideOf("eo", "e.market_id")}, 'usd_micro', e.usd_micro::text,
           'shares_micro', e.shares_micro::text)), '[]')
         from outcomes eo join ledger_entries e on e.outcome_id = eo.id and e.trader_id = d.trader_id
         where eo.market_id = d.market_id and e.kind in ('buy', 'sell')
           and e.traded_at > d.traded_at - interval '24 hours' and e.traded_at <= d.traded_at
       ) end as fills
     from due d order by d.traded_at, d.id`,
    [traderId, ids],
  );
  return rows;
}
