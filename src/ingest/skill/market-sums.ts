import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Session } from "../../db/client.ts";
import { skillMarkets } from "../../db/schema.ts";
import { array, columnNames, excluded, integer, run, selectRows, setEach } from "../../db/sql.ts";
import type { ClusterSums } from "../../scoring/skill/cluster-sums.ts";

/** The sums of a trader's bets in one market, and the cluster and the story they belong to. */
export interface MarketSums extends ClusterSums {
  readonly traderId: number;
  readonly cluster: number;
  /** 0 for none. */
  readonly story: number;
}

/** The sums of a market as stored. */
export interface StoredMarketSums extends MarketSums {
  /** False for sums from before stories were known. */
  readonly isByStory: boolean;
}

/** Sums from before stories were known have none. */
const STORY = sql`coalesce(${skillMarkets.story}, 0)`;

export const SumsRow = z.object({
  trader_id: integer,
  cluster: integer,
  story: integer,
  bets: integer,
  usd_micro: integer,
  edge_micro: integer,
  variance_micro: integer,
  close_usd_micro: integer,
  close_edge_micro: integer,
  close_variance_micro: integer,
});

/** Loads the stored sums of a market's bets, by trader id. */
export async function loadMarketSums(
  session: Session,
  marketId: string,
  traderIds: readonly number[],
): Promise<Map<number, StoredMarketSums>> {
  const rows = await selectRows(
    session,
    sql`select ${skillMarkets.traderId}, ${skillMarkets.cluster}, ${STORY} as story, ${skillMarkets.bets}, ${skillMarkets.usdMicro},
       ${skillMarkets.edgeMicro}, ${skillMarkets.varianceMicro}, ${skillMarkets.closeUsdMicro}, ${skillMarkets.closeEdgeMicro},
       ${skillMarkets.closeVarianceMicro}, ${skillMarkets.story} is not null as is_by_story
     from ${skillMarkets}
     where ${skillMarkets.marketId} = ${marketId} and ${skillMarkets.traderId} = any(${array(traderIds, "bigint")})`,
    SumsRow.extend({ is_by_story: z.boolean() }),
  );
  return new Map(rows.map((row) => [row.trader_id, { ...toSums(row), isByStory: row.is_by_story }]));
}

/** Groups sums of markets by trader, cluster and story. A cluster whose markets have two stories counts as two. */
export const CLUSTER_KEY: SQL = sql`${skillMarkets.traderId}, ${skillMarkets.cluster}, ${STORY}`;

/** The sums of a cluster over its markets, as a select list for `SumsRow`, grouped by `CLUSTER_KEY`. */
export const CLUSTER_SUMS: SQL = sql`${skillMarkets.traderId}, ${skillMarkets.cluster}, ${STORY} as story,
  sum(${skillMarkets.bets}) as bets, sum(${skillMarkets.usdMicro}) as usd_micro, sum(${skillMarkets.edgeMicro}) as edge_micro,
  sum(${skillMarkets.varianceMicro}) as variance_micro, sum(${skillMarkets.closeUsdMicro}) as close_usd_micro,
  sum(${skillMarkets.closeEdgeMicro}) as close_edge_micro,
  sum(${skillMarkets.closeVarianceMicro}) as close_variance_micro`;

/**
 * Loads the stored sums of whole clusters, over all their markets in one story. Without sums a cluster is left out. While a
 * cluster moves to another story, its markets are scored one after another: until the last of them it counts as two.
 */
export async function loadClusterSums(
  session: Session,
  wanted: readonly Pick<MarketSums, "traderId" | "cluster" | "story">[],
): Promise<MarketSums[]> {
  const traderIds = wanted.map(({ traderId }) => traderId);
  const clusters = wanted.map(({ cluster }) => cluster);
  const stories = wanted.map(({ story }) => story);
  const pairColumns = columnNames(skillMarkets.traderId, skillMarkets.cluster);
  const rows = await selectRows(
    session,
    sql`select ${CLUSTER_SUMS}
     from unnest(${array(traderIds, "bigint")}, ${array(clusters, "bigint")}, ${array(stories, "bigint")})
       as wanted(${pairColumns}, in_story)
     join ${skillMarkets} using (${pairColumns})
     where ${STORY} = wanted.in_story
     group by ${CLUSTER_KEY}`,
    SumsRow,
  );
  return rows.map(toSums);
}

const SUM_FIELDS = [
  "traderId",
  "cluster",
  "story",
  "bets",
  "usdMicro",
  "edgeMicro",
  "varianceMicro",
  "closeUsdMicro",
  "closeEdgeMicro",
  "closeVarianceMicro",
] as const satisfies readonly (keyof MarketSums)[];

export async function writeMarketSums(session: Session, marketId: string, sums: readonly MarketSums[]): Promise<void> {
  if (sums.length === 0) return;
  const { marketId: market, isNetted, isByRole, isByClose } = skillMarkets;
  const columns = SUM_FIELDS.map((field) => skillMarkets[field]);
  const flags = [isNetted, isByRole, isByClose];
  const values = SUM_FIELDS.map((field) =>
    array(
      sums.map((row) => row[field]),
      field === "bets" ? "int" : "bigint",
    ),
  );
  await run(
    session,
    sql`insert into ${skillMarkets} (${columnNames(market, ...columns, ...flags)})
     select ${marketId}, sums.*, true, true, true from unnest(${sql.join(values, sql`, `)}) as sums
     on conflict (${columnNames(market, skillMarkets.traderId)})
     do update set ${setEach([...columns.filter((column) => column !== skillMarkets.traderId), ...flags], excluded)}`,
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
  left.varianceMicro === right.varianceMicro &&
  left.closeUsdMicro === right.closeUsdMicro &&
  left.closeEdgeMicro === right.closeEdgeMicro &&
  left.closeVarianceMicro === right.closeVarianceMicro;

export function toSums(row: z.output<typeof SumsRow>): MarketSums {
  return {
    traderId: row.trader_id,
    cluster: row.cluster,
    story: row.story,
    bets: row.bets,
    usdMicro: row.usd_micro,
    edgeMicro: row.edge_micro,
    varianceMicro: row.variance_micro,
    closeUsdMicro: row.close_usd_micro,
    closeEdgeMicro: row.close_edge_micro,
    closeVarianceMicro: row.close_variance_micro,
  };
}
