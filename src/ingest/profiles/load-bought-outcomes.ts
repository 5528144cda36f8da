import type { Session } from "../../db/client.ts";
import type { BoughtOutcome } from "../../scoring/skill/category-skill.ts";

/** The outcomes that one wallet bought in markets with a category, by category. */
export type BoughtByCategory = ReadonlyMap<string, readonly BoughtOutcome[]>;

interface Row {
  trader_id: string;
  category: string;
  cluster: string;
  market_id: string;
  bought_usd_micro: string;
  bought_shares_micro: string;
  payout: number | null;
  usd_micro: string | null;
  edge_micro: string | null;
  first_ms: number;
  last_ms: number;
}

/** The purchases of wallets with what has been counted of them; a market whose bets are due to be counted again counts as not counted. */
export async function loadBoughtOutcomes(session: Session, traderIds: readonly number[]): Promise<Map<number, BoughtByCategory>> {
  const { rows } = await session.query<Row>(
    `select p.trader_id, m.category, coalesce(m.event_id, -m.id) as cluster, p.market_id, p.bought_usd_micro, p.bought_shares_micro,
       (m.payouts_ppm[o.outcome_index + 1] / 1000000.0)::float8 as payout, s.usd_micro, s.edge_micro,
       (extract(epoch from p.first_at) * 1000)::float8 as first_ms, (extract(epoch from p.last_at) * 1000)::float8 as last_ms
     from positions p
     join markets m on m.id = p.market_id and m.category is not null
     join outcomes o on o.id = p.outcome_id
     left join skill_markets s on s.market_id = p.market_id and s.trader_id = p.trader_id
       and not exists (select from skill_due d where d.market_id = s.market_id)
     where p.trader_id = any($1::bigint[]) and p.bought_shares_micro > 0
     order by p.trader_id, m.category, p.outcome_id`,
    [traderIds],
  );
  const wallets = Map.groupBy(rows, (row) => Number(row.trader_id));
  return new Map(
    [...wallets].map(([traderId, own]) => {
      const categories = Map.groupBy(own, (row) => row.category);
      return [traderId, new Map([...categories].map(([category, group]) => [category, group.map(toOutcome)]))];
    }),
  );
}

const toOutcome = (row: Row): BoughtOutcome => ({
  cluster: Number(row.cluster),
  marketId: Number(row.market_id),
  boughtUsdMicro: Number(row.bought_usd_micro),
  boughtSharesMicro: Number(row.bought_shares_micro),
  payout: row.payout,
  bets: row.usd_micro === null || row.edge_micro === null ? null : { usdMicro: Number(row.usd_micro), edgeMicro: Number(row.edge_micro) },
  firstAtMs: row.first_ms,
  lastAtMs: row.last_ms,
});
