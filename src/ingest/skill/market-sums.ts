import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Session } from "../../db/client.ts";
import { skillMarkets } from "../../db/schema.ts";
import { array, columnNames, excluded, integer, run, selectRows, setEach } from "../../db/sql.ts";
import type { ClusterSums } from "../../scoring/skill/cluster-sums.ts";

/** The sums of a trader's bets in one market, and the cluster they belong to. */
export interface MarketSums extends ClusterSums {
  readonly traderId: number;
  readonly cluster: number;
}

/** The sums of a market as stored. */
export interface StoredMarketSums extends MarketSums {
  /** False for sums from before makers' purchases were left out. */
  readonly isByRole: boolean;
}

const SumsRow = z.object({
  trader_id: integer,
  cluster: integer,
  bets: integer,
  usd_micro: integer,
  edge_micro: integer,
  variance_micro: integer,
});

/** Loads the stored sums of a market's bets, by trader id. */
export async function loadMarketSums(
  session: Session,
  marketId: string,
  traderIds: readonly number[],
): Promise<Map<number, StoredMarketSums>> {
  const rows = await selectRows(
    session,
    sql`select ${skillMarkets.traderId}, ${skillMarkets.cluster}, ${skillMarkets.bets}, ${skillMarkets.usdMicro},
       ${skillMarkets.edgeMicro}, ${skillMarkets.varianceMicro}, ${skillMarkets.isByRole} is true as is_by_role
     from ${skillMarkets}
     where ${skillMarkets.marketId} = ${marketId} and ${skillMarkets.traderId} = any(${array(traderIds, "bigint")})`,
    SumsRow.extend({ is_by_role: z.boolean() }),
  );
  return new Map(rows.map((row) => [row.trader_id, { ...toSums(row), isByRole: row.is_by_role }]));
}

/** Loads the stored sums of whole clusters, over all their markets. A pair without sums is left out. */
export async function loadClusterSums(
  session: Session,
  pairs: readonly { readonly traderId: number; readonly cluster: number }[],
): Promise<MarketSums[]> {
  const traderIds = pairs.map(({ traderId }) => traderId);
  const clusters = pairs.map(({ cluster }) => cluster);
  const pairColumns = columnNames(skillMarkets.traderId, skillMarkets.cluster);
  const rows = await selectRows(
    session,
    sql`select ${skillMarkets.traderId}, ${skillMarkets.cluster}, sum(${skillMarkets.bets}) as bets,
       sum(${skillMarkets.usdMicro}) as usd_micro, sum(${skillMarkets.edgeMicro}) as edge_micro,
       sum(${skillMarkets.varianceMicro}) as variance_micro
     from unnest(${array(traderIds, "bigint")}, ${array(clusters, "bigint")}) as pairs(${pairColumns})
     join ${skillMarkets} using (${pairColumns})
     group by ${skillMarkets.traderId}, ${skillMarkets.cluster}`,
    SumsRow,
  );
  return rows.map(toSums);
}

export async function writeMarketSums(session: Session, marketId: string, sums: readonly MarketSums[]): Promise<void> {
  if (sums.length === 0) return;
  const { traderId, cluster, bets, usdMicro, edgeMicro, varianceMicro, isNetted, isByRole } = skillMarkets;
  const valueOf = (field: keyof MarketSums) => sums.map((row) => row[field]);
  await run(
    session,
    sql`insert into ${skillMarkets}
       (${columnNames(skillMarkets.marketId, traderId, cluster, bets, usdMicro, edgeMicro, varianceMicro, isNetted, isByRole)})
     select ${marketId}, sums.*, true, true from unnest(${array(valueOf("traderId"), "bigint")}, ${array(valueOf("cluster"), "bigint")},
       ${array(valueOf("bets"), "int")}, ${array(valueOf("usdMicro"), "bigint")},
       ${array(valueOf("edgeMicro"), "bigint")}, ${array(valueOf("varianceMicro"), "bigint")}) as sums
     on conflict (${columnNames(skillMarkets.marketId, traderId)})
     do update set ${setEach([cluster, bets, usdMicro, edgeMicro, varianceMicro, isNetted, isByRole], excluded)}`,
  );
}

export async function dropMarketSums(session: Session, marketId: string, traderIds: readonly number[]): Promise<void> {
  if (traderIds.length === 0) return;
  await run(
    session,
    sql`delete from ${skillMarkets}
     where ${skillMarkets.marketId} = ${marketId} and ${skillMarkets.traderId} = any(${array(traderIds, "bigint")})`,
  );
}

export const areSameSums = (left: ClusterSums, right: ClusterSums): boolean =>
  left.bets === right.bets &&
  left.usdMicro === right.usdMicro &&
  left.edgeMicro === right.edgeMicro &&
  left.varianceMicro === right.varianceMicro;

function toSums(row: z.output<typeof SumsRow>): MarketSums {
  return {
    traderId: row.trader_id,
    cluster: row.cluster,
    bets: row.bets,
    usdMicro: row.usd_micro,
    edgeMicro: row.edge_micro,
    varianceMicro: row.variance_micro,
  };
}
