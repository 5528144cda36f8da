import type { Pool } from "@neondatabase/serverless";
import { openJobContext } from "../../../../scripts/bench/job-context.ts";
import { handleMessage } from "../../../../src/ingest/queue/handle-message.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { runJob } from "../../../../src/jobs/registry.ts";
import type { IngestMessage } from "../../../../src/messages/ingest-message.ts";
import { evidenceOf, type SkillEvidence } from "../../../../src/scoring/skill/evidence.ts";
import type { SettledBet } from "../../../../src/scoring/skill/settled-bet.ts";
import { aPagedProvider } from "../provider/paged-provider.ts";
import { TEST_SEALING } from "../test-sealing.ts";

/** Deletes everything that the skill jobs have stored. */
export async function emptySkill(pool: Pool): Promise<void> {
  await pool.query(
    `delete from skill_markets; delete from skill_due; delete from trader_skill; delete from trader_grades; delete from skill_populations; delete from skill_closes`,
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
       s.cross_variance_edge::float8 as "crossVarianceEdge", s.cross_variance_variance::float8 as "crossVarianceVariance"
     from trader_skill s join traders t on t.id = s.trader_id where s.bets <> 0 order by t.address`,
  );
  const { rows: due } = await pool.query(`select market_id from skill_due`);
  return { bets, evidence, due };
}

/** A trader whose evidence follows from these bets, as if their markets had been read. @returns its row id */
export async function aSkilledTrader(pool: Pool, address: string, bets: readonly SettledBet[]): Promise<string> {
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
  ];
  const { rows } = await pool.query<{ id: string }>(
    `with t as (insert into traders (address) values ($1) on conflict (address) do update set address = excluded.address returning id)
     insert into trader_skill (trader_id, is_due, ${columns.map(([name]) => name).join(", ")})
     select id, true, ${columns.map((_, index) => `$${index + 2}::bigint`).join(", ")} from t
     on conflict (trader_id) do update set is_due = true, ${columns.map(([name]) => `${name} = excluded.${name}`).join(", ")}
     returning trader_id as id`,
    [address, ...columns.map(([, field]) => evidence[field])],
  );
  return rows[0]?.id ?? "";
}
