import type { Session } from "../../db/client.ts";
import type { ClusterSums } from "../../scoring/skill/cluster-sums.ts";

/** A wallet's bets in one market, and the cluster they count in. */
export interface MarketSums extends ClusterSums {
  readonly traderId: number;
  readonly cluster: number;
}

interface SumsRow {
  trader_id: string;
  cluster: string;
  bets: string;
  usd_micro: string;
  edge_micro: string;
  variance_micro: string;
}

/** What is stored of a market's bets. By wallet. */
export async function loadMarketSums(session: Session, marketId: string, traderIds: readonly number[]): Promise<Map<number, MarketSums>> {
  const { rows } = await session.query<SumsRow>(
    `select trader_id, cluster, bets::text as bets, usd_micro, edge_micro, variance_micro from skill_markets
     where market_id = $1 and trader_id = any($2::bigint[])`,
    [marketId, traderIds],
  );
  return new Map(rows.map((row) => [Number(row.trader_id), toSums(row)]));
}

/** The stored sums of whole clusters, over all their markets; a pair that has none is left out. */
export async function loadClusterSums(
  session: Session,
  pairs: readonly { readonly traderId: number; readonly cluster: number }[],
): Promise<MarketSums[]> {
  const { rows } = await session.query<SumsRow>(
    `select s.trader_id, s.cluster, sum(s.bets)::text as bets, sum(s.usd_micro)::text as usd_micro, sum(s.edge_micro)::text as edge_micro,
       sum(s.variance_micro)::text as variance_micro
     from unnest($1::bigint[], $2::bigint[]) as t(trader_id, cluster) join skill_markets s using (trader_id, cluster)
     group by s.trader_id, s.cluster`,
    [pairs.map(({ traderId }) => traderId), pairs.map(({ cluster }) => cluster)],
  );
  return rows.map(toSums);
}

export async function writeMarketSums(session: Session, marketId: string, sums: readonly MarketSums[]): Promise<void> {
  if (sums.length === 0) return;
  await session.query(
    `insert into skill_markets (market_id, trader_id, cluster, bets, usd_micro, edge_micro, variance_micro)
     select $1, * from unnest($2::bigint[], $3::bigint[], $4::int[], $5::bigint[], $6::bigint[], $7::bigint[])
     on conflict (market_id, trader_id) do update set cluster = excluded.cluster, bets = excluded.bets, usd_micro = excluded.usd_micro,
       edge_micro = excluded.edge_micro, variance_micro = excluded.variance_micro`,
    [
      marketId,
      sums.map((row) => row.traderId),
      sums.map((row) => row.cluster),
      sums.map((row) => row.bets),
      sums.map((row) => row.usdMicro),
      sums.map((row) => row.edgeMicro),
      sums.map((row) => row.varianceMicro),
    ],
  );
}

export async function dropMarketSums(session: Session, marketId: string, traderIds: readonly number[]): Promise<void> {
  if (traderIds.length === 0) return;
  await session.query(`delete from skill_markets where market_id = $1 and trader_id = any($2::bigint[])`, [marketId, traderIds]);
}

/** `left` plus or minus `right`; what comes to nothing is the empty cluster again. */
export function combineSums(left: ClusterSums, right: ClusterSums, sign: 1 | -1): ClusterSums {
  return {
    bets: left.bets + sign * right.bets,
    usdMicro: left.usdMicro + sign * right.usdMicro,
    edgeMicro: left.edgeMicro + sign * right.edgeMicro,
    varianceMicro: left.varianceMicro + sign * right.varianceMicro,
  };
}

export const areSameSums = (left: ClusterSums, right: ClusterSums): boolean =>
  left.bets === right.bets &&
  left.usdMicro === right.usdMicro &&
  left.edgeMicro === right.edgeMicro &&
  left.varianceMicro === right.varianceMicro;

function toSums(row: SumsRow): MarketSums {
  return {
    traderId: Number(row.trader_id),
    cluster: Number(row.cluster),
    bets: Number(row.bets),
    usdMicro: Number(row.usd_micro),
    edgeMicro: Number(row.edge_micro),
    varianceMicro: Number(row.variance_micro),
  };
}
