import type { Session } from "../../db/client.ts";
import { addBet, EMPTY_CLUSTER, type ClusterSums } from "../../scoring/skill/cluster-sums.ts";

/** Some wallets of a market, in the order of their ids. */
export interface WalletSlice {
  readonly traderIds: readonly number[];
  /** Whether wallets with higher ids follow. */
  readonly more: boolean;
}

/** What one transaction reads at most, so that a market of a hundred thousand wallets is never in memory at once. */
export interface SliceLimits {
  readonly wallets: number;
  /** Ledger entries; a single wallet may have more. */
  readonly entries: number;
}

/** The bets of a market that have to be read: those of some wallets, or all. */
export interface DueBets {
  readonly marketId: string;
  /** Null for all. */
  readonly traderIds: readonly string[] | null;
}

/** The next of these wallets that have a position in the market, or had bets in it. */
export async function nextWallets(
  session: Session,
  { marketId, traderIds: named }: DueBets,
  after: number,
  limits: SliceLimits,
): Promise<WalletSlice> {
  const among = named === null ? "" : "and trader_id = any($4::bigint[])";
  const { rows } = await session.query<{ trader_id: string; entries: number }>(
    `(select trader_id, entry_count as entries from positions where market_id = $1 and trader_id > $2 ${among} order by trader_id limit $3)
     union all
     (select trader_id, 0 from skill_markets where market_id = $1 and trader_id > $2 ${among} order by trader_id limit $3)
     order by trader_id limit $3`,
    [marketId, after, limits.wallets, ...(named === null ? [] : [named])],
  );
  const traderIds = new Set<number>();
  let entries = 0;
  for (const row of rows) {
    const traderId = Number(row.trader_id);
    if (!traderIds.has(traderId) && traderIds.size > 0 && entries + row.entries > limits.entries)
      return { traderIds: [...traderIds], more: true };
    traderIds.add(traderId);
    entries += row.entries;
  }
  return { traderIds: [...traderIds], more: rows.length === limits.wallets };
}

/**
 * The settled bets of a slice's wallets in one market, summed. Purchases only; an outcome that has no payout, or whose index nobody has told, is no
 * bet. Summed here and not in SQL: each bet is rounded as `src/scoring/skill` rounds it, which SQL does otherwise at ties.
 */
export async function readBets(session: Session, marketId: string, traderIds: readonly number[]): Promise<Map<number, ClusterSums>> {
  const { rows } = await session.query<{ trader_id: string; price: string; usd_micro: string; payout_ppm: number }>(
    `select e.trader_id, e.price::text as price, e.usd_micro, m.payouts_ppm[o.outcome_index + 1] as payout_ppm
     from positions p
     join outcomes o on o.id = p.outcome_id and o.market_id = p.market_id
     join markets m on m.id = p.market_id
     join ledger_entries e on e.trader_id = p.trader_id and e.outcome_id = p.outcome_id and e.kind = 'buy'
     where p.market_id = $1 and p.trader_id = any($2::bigint[]) and m.payouts_ppm[o.outcome_index + 1] is not null`,
    [marketId, traderIds],
  );
  const sums = new Map<number, ClusterSums>();
  for (const row of rows) {
    const traderId = Number(row.trader_id);
    const bet = { cluster: marketId, price: Number(row.price), usd: Number(row.usd_micro) / 1e6, payout: row.payout_ppm / 1e6 };
    sums.set(traderId, addBet(sums.get(traderId) ?? EMPTY_CLUSTER, bet));
  }
  return sums;
}
