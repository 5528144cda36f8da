import type { Pool } from "@neondatabase/serverless";
import { openJobContext } from "../../../../scripts/bench/job-context.ts";
import { handleMessage } from "../../../../src/ingest/queue/handle-message.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { runJob } from "../../../../src/jobs/registry.ts";
import type { IngestMessage } from "../../../../src/messages/ingest-message.ts";
import { evidenceOf, type SkillEvidence } from "../../../../src/scoring/skill/evidence.ts";
import { addBet, NO_BETS, netMarket, type MarketBet } from "../../../../src/scoring/skill/market-bets.ts";
import type { SettledBet } from "../../../../src/scoring/skill/settled-bet.ts";
import { aPagedProvider } from "../provider/paged-provider.ts";
import { TEST_SEALING } from "../test-sealing.ts";

/** Deletes everything that the skill jobs have stored. */
export async function emptySkill(pool: Pool): Promise<void> {
  await pool.query(
    `delete from skill_markets; delete from skill_due; delete from trader_skill; delete from trader_grades; delete from skill_populations; delete from skill_closes; delete from skill_stories`,
  );
}

const provider = aPagedProvider({ takers: [], all: [], activity: {}, markets: [], resolutions: [] });

/** Runs jobs as the feed object does, and their messages as the queue's consumer does, once each. */
export async function runJobs(
  pool: Pool,
  ...jobs: ("score_markets" | "estimate_population" | "grade_traders" | "build_leaderboard")[]
): Promise<void> {
  for (const job of jobs) {
    const queue: IngestMessage[] = [];
    const known = new RowIdCache();
    const enqueue = async (messages: readonly IngestMessage[]) => void queue.push(...messages);
    await runJob(job, openJobContext({ pool, provider, enqueue, rowIds: known, sealing: TEST_SEALING }));
    for (const message of queue) await handleMessage(message, { pool, provider, rowIds: known, now: () => new Date() });
  }
}

/**
 * The stored bets and evidence, by the provider's names. A trader without bets has no evidence, with or
 * without a row.
 */
export async function readSkill(pool: Pool) {
  const { rows: bets } = await pool.query(
    `select m.condition_id, t.address, coalesce(e.slug, 'market ' || m.condition_id) as cluster, s.bets, s.usd_micro::float8 as usd,
       s.edge_micro::float8 as edge, s.variance_micro::float8 as variance, s.close_usd_micro::float8 as close_usd,
       s.close_edge_micro::float8 as close_edge, s.close_variance_micro::float8 as close_variance
     from skill_markets s join markets m on m.id = s.market_id join traders t on t.id = s.trader_id
     left join provider_events e on e.id = s.cluster and s.cluster = m.event_id
     where s.cluster = coalesce(m.event_id, -m.id)
     order by m.condition_id, t.address`,
  );
  const { rows: evidence } = await pool.query(
    `select t.address, s.bets, s.clusters, s.weight::float8 as weight, s.edge::float8 as edge, s.information::float8 as information,
       s.square_information::float8 as "squareInformation", s.edge_edge::float8 as "edgeEdge", s.edge_variance::float8 as "edgeVariance",
       s.variance_variance::float8 as "varianceVariance",
       s.close_clusters as "closeClusters", s.close_edge::float8 as "closeEdge", s.close_information::float8 as "closeInformation",
       s.close_square_information::float8 as "closeSquareInformation", s.close_edge_edge::float8 as "closeEdgeEdge",
       s.close_edge_variance::float8 as "closeEdgeVariance", s.close_variance_variance::float8 as "closeVarianceVariance",
       s.cross_edge_edge::float8 as "crossEdgeEdge", s.cross_edge_variance::float8 as "crossEdgeVariance",
       s.cross_variance_edge::float8 as "crossVarianceEdge", s.cross_variance_variance::float8 as "crossVarianceVariance",
       s.story_edge_edge::float8 as "storyEdgeEdge", s.story_edge_variance::float8 as "storyEdgeVariance",
       s.story_variance_variance::float8 as "storyVarianceVariance", s.story_information::float8 as "storyInformation"
     from trader_skill s join traders t on t.id = s.trader_id where s.bets <> 0 order by t.address`,
  );
  const { rows: due } = await pool.query(`select market_id from skill_due`);
  return { bets, evidence, due };
}

/**
 * A trader whose evidence follows from these bets, as if their markets had been read.
 *
 * @param settledDaysAgo UTC days since the results of the bets' markets counted; without it no market is stored
 * @returns its row id
 */
export async function aSkilledTrader(
  pool: Pool,
  address: string,
  bets: readonly SettledBet[],
  settledDaysAgo?: (bet: SettledBet) => number,
): Promise<string> {
  const evidence = evidenceOf(bets);
  const columns: readonly [string, keyof SkillEvidence][] = [
    ["bets", "bets"],
    ["clusters", "clusters"],
    ["weight", "weight"],
    ["edge", "edge"],
    ["information", "information"],
    ["square_information", "squareInformation"],
    ["edge_edge", "edgeEdge"],
    ["edge_variance", "edgeVariance"],
    ["variance_variance", "varianceVariance"],
    ["close_clusters", "closeClusters"],
    ["close_edge", "closeEdge"],
    ["close_information", "closeInformation"],
    ["close_square_information", "closeSquareInformation"],
    ["close_edge_edge", "closeEdgeEdge"],
    ["close_edge_variance", "closeEdgeVariance"],
    ["close_variance_variance", "closeVarianceVariance"],
    ["cross_edge_edge", "crossEdgeEdge"],
    ["cross_edge_variance", "crossEdgeVariance"],
    ["cross_variance_edge", "crossVarianceEdge"],
    ["cross_variance_variance", "crossVarianceVariance"],
    ["story_edge_edge", "storyEdgeEdge"],
    ["story_edge_variance", "storyEdgeVariance"],
    ["story_variance_variance", "storyVarianceVariance"],
    ["story_information", "storyInformation"],
  ];
  const { rows } = await pool.query<{ id: string }>(
    `with t as (insert into traders (address) values ($1) on conflict (address) do update set address = excluded.address returning id)
     insert into trader_skill (trader_id, is_due, ${columns.map(([name]) => name).join(", ")})
     select id, true, ${columns.map((_, index) => `$${index + 2}::bigint`).join(", ")} from t
     on conflict (trader_id) do update set is_due = true, ${columns.map(([name]) => `${name} = excluded.${name}`).join(", ")}
     returning trader_id as id`,
    [address, ...columns.map(([, field]) => evidence[field])],
  );
  const id = rows[0]?.id ?? "";
  if (settledDaysAgo !== undefined) await replaceMarketSums(pool, id, bets, settledDaysAgo);
  return id;
}

/** One row for each market of the bets; a market's id follows from its name. */
async function replaceMarketSums(
  pool: Pool,
  traderId: string,
  bets: readonly SettledBet[],
  settledDaysAgo: (bet: SettledBet) => number,
): Promise<void> {
  await pool.query(`delete from skill_markets where trader_id = $1`, [traderId]);
  const clusters = [...new Set(bets.map(({ cluster }) => cluster))];
  // 0 for none.
  const stories = [...new Set([undefined, ...bets.map(({ story }) => story)])];
  const rows = [...Map.groupBy(bets, ({ market }) => market)].map(([market, [bet, ...others]]) => {
    if (bet === undefined) throw new Error("a market without bets");
    const days = settledDaysAgo(bet);
    const sums = netMarket([bet, ...others].map(toMarketBet).reduce(addBet, NO_BETS));
    const place = { cluster: clusters.indexOf(bet.cluster) + 1, story: stories.indexOf(bet.story) };
    return { ...sums, ...place, days, name: `${market} settled ${days} days ago` };
  });
  await pool.query(
    `with settled as (
       select * from unnest($2::text[], $3::int[], $4::bigint[], $5::int[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
         as settled(name, days, cluster, bets, usd, edge, variance, story)
     ), known as (
       insert into markets (condition_id, payouts_ppm, settled_on)
       select name, '{1000000,0}', (now() at time zone 'UTC')::date - days from settled
       on conflict (condition_id) do update set settled_on = excluded.settled_on returning id, condition_id
     )
     insert into skill_markets (market_id, trader_id, cluster, bets, usd_micro, edge_micro, variance_micro, is_netted, is_by_role, is_by_close, story)
     select known.id, $1, cluster, bets, usd, edge, variance, true, true, true, story
     from settled join known on known.condition_id = settled.name`,
    [
      traderId,
      rows.map(({ name }) => name),
      rows.map(({ days }) => days),
      rows.map(({ cluster }) => cluster),
      rows.map((row) => row.bets),
      rows.map(({ usdMicro }) => usdMicro),
      rows.map(({ edgeMicro }) => edgeMicro),
      rows.map(({ varianceMicro }) => varianceMicro),
      rows.map(({ story }) => story),
    ],
  );
}

const toMarketBet = ({ outcome, shares, usd, payout }: SettledBet): MarketBet => ({
  outcome,
  sharesMicro: Math.round(shares * 1e6),
  usdMicro: Math.round(usd * 1e6),
  payout,
});
