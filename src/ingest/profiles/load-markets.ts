import type { Session } from "../../db/client.ts";
import { isCombination } from "../../db/completeness.ts";

/** What one wallet did and made in one market, both outcomes together. Fees count in the result and not in the cost. */
export interface HeldMarket {
  readonly conditionId: string;
  readonly category: string | null;
  /** The provider's tag slugs. */
  readonly tags: readonly string[];
  /** Paid in buys and splits, and the uniform price of shares that conversions gave. */
  readonly costMicro: bigint;
  readonly pnlMicro: bigint;
  /** Null until all it holds there has settled, and where unmatched shares left it: what it made there is not known. */
  readonly settledAtMs: number | null;
  /**
   * Per share bought or split; null when none was, when it sold shares whose basis we do not know, or when a conversion gave it shares: the
   * price those are booked at is ours and not one that it paid.
   */
  readonly entryPrice: number | null;
  readonly payout: number | null;
  /** Whether it bought or split shares of both outcomes. */
  readonly twoSided: boolean;
}

interface Row {
  trader_id: string;
  condition_id: string;
  category: string | null;
  tags: string[];
  cost_micro: string;
  pnl_micro: string;
  settled_ms: number | null;
  entry_price: number | null;
  payout: number | null;
  two_sided: boolean;
}

/**
 * Every ordinary market of some wallets.
 *
 * @param asOf YYYY-MM-DD: what settled on a later day has not settled yet
 */
export async function loadMarkets(session: Session, traderIds: readonly number[], asOf: string): Promise<Map<number, HeldMarket[]>> {
  const { rows } = await session.query<Row>(
    `with added as (
       select trader_id, outcome_id, sum(usd_micro) as usd_micro, sum(shares_micro) as shares_micro,
         bool_or(kind = 'convert_in') as converted, bool_or(kind <> 'convert_in') as chosen
       from ledger_entries where trader_id = any($1::bigint[]) and kind in ('buy', 'split', 'convert_in')
       group by trader_id, outcome_id
     ), held as (
       select p.trader_id, p.market_id, coalesce(sum(a.usd_micro), 0) as cost_micro, sum(a.shares_micro) as shares_micro,
         sum(p.realized_micro + coalesce(p.settled_micro, 0) - p.fees_micro) as pnl_micro,
         bool_and(p.settled_micro is not null and m.settled_on <= $2::date) as settled,
         sum(p.unmatched_shares_micro) = 0 as is_matched,
         sum(p.unmatched_shares_micro) = 0 and not coalesce(bool_or(a.converted), false) as is_priced,
         sum(a.shares_micro * m.payouts_ppm[o.outcome_index + 1]) as payout_parts,
         count(*) filter (where a.chosen) > 1 as two_sided
       from positions p
       join markets m on m.id = p.market_id and not ${isCombination("m.condition_id")}
       join outcomes o on o.id = p.outcome_id
       left join added a on a.trader_id = p.trader_id and a.outcome_id = p.outcome_id
       where p.trader_id = any($1::bigint[])
       group by p.trader_id, p.market_id
     )
     select h.trader_id, m.condition_id, m.category, m.tags, h.cost_micro, h.pnl_micro,
       case when h.settled and h.is_matched then (extract(epoch from coalesce(m.resolved_at, m.settled_on::timestamp at time zone 'UTC')) * 1000)::float8 end
         as settled_ms,
       case when h.is_priced then least(1, (h.cost_micro / nullif(h.shares_micro, 0))::float8) end as entry_price,
       case when h.is_priced and h.settled then (h.payout_parts / nullif(h.shares_micro, 0) / 1000000)::float8 end as payout,
       h.two_sided
     from held h join markets m on m.id = h.market_id
     order by h.trader_id, m.condition_id`,
    [traderIds, asOf],
  );
  const markets = new Map<number, HeldMarket[]>(traderIds.map((id) => [id, []]));
  for (const row of rows) {
    markets.get(Number(row.trader_id))?.push({
      conditionId: row.condition_id,
      category: row.category,
      tags: row.tags,
      costMicro: BigInt(row.cost_micro),
      pnlMicro: BigInt(row.pnl_micro),
      settledAtMs: row.settled_ms,
      entryPrice: row.entry_price,
      payout: row.payout,
      twoSided: row.two_sided,
    });
  }
  return markets;
}
