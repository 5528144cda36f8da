import type { Pool } from "@neondatabase/serverless";
import { beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { emptyIngest } from "../../../support/ingest/empty-ingest.ts";
import { joinIngest } from "../../../support/ingest/ingest-under-test.ts";
import { ProcessKilled, KillableProcess } from "../../../support/ingest/killable-process.ts";
import { aSettledBet } from "../../../support/a-settled-bet.ts";
import { aSkilledTrader, emptySkill, readSkill, runJobs } from "../../../support/ingest/worlds/skill-jobs.ts";
import { aTrade, conditionOf, pageOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

const CROWD = 110;
const bets = (index: number) =>
  Array.from({ length: 20 }, (_, bet) =>
    aSettledBet({ cluster: `c${bet}`, price: 0.5, usd: 100, payout: bet < 4 + (index % 13) ? 1 : 0 }),
  );

/**
 * A crowd with records, six of whom bought in two markets of one event and one of another of the same series and night that
 * have settled since; one of them bet on both sides of one market.
 */
async function prepare(pool: Pool): Promise<void> {
  await emptySkill(pool);
  await emptyIngest(pool);
  for (let index = 0; index < CROWD; index++) await aSkilledTrader(pool, walletOf(index), bets(index));
  const fills = [1, 2, 3].flatMap((market) =>
    Array.from({ length: 6 }, (_, wallet) =>
      aTrade({ n: market * 10 + wallet, wallet, market, sharesMicro: 100_000_000n }),
    ),
  );
  const hedge = aTrade({ n: 50, wallet: 1, market: 1, outcome: 1, price: "0.4", sharesMicro: 100_000_000n });
  await joinIngest(pool).apply("all", pageOf([...fills, hedge]));
  await pool.query(
    `update provider_events set series_slug = 'nba', end_at = '2026-11-20T01:00:00Z';
     update markets set event_id = case condition_id when '${conditionOf(3)}' then event_id else (select min(id) from provider_events) end,
       payouts_ppm = array[1000000, 0], settled_on = '2026-11-20';
     insert into skill_due (market_id) select id from markets`,
  );
}

async function result(pool: Pool) {
  const skill = await readSkill(pool);
  const { rows: grades } = await pool.query(
    `select t.address, g.grade, g.score, g.forecast_score, g.forecast_evidence, g.ungraded_reason, g.input_hash, g.components
     from trader_grades g join traders t on t.id = g.trader_id order by t.address, g.id`,
  );
  const { rows: inForce } = await pool.query(
    `select address, grade, score, forecast_score, forecast_evidence from traders order by address`,
  );
  const { rows: populations } = await pool.query(
    `select wallets, mean, variance, typical_variance from skill_populations order by id`,
  );
  const { rows: announced } = await pool.query(
    `select count(*)::int as count from events where type = 'wallet_grade_changed'`,
  );
  const { rows: due } = await pool.query(`select trader_id from trader_skill where is_due`);
  return { skill, grades, inForce, populations, announced, due };
}

const JOBS = ["score_markets", "estimate_population", "grade_traders"] as const;

test("skill jobs killed after any step lose and double nothing: the next run ends in the same state", async () => {
  const pool = database.openPool();
  await prepare(pool);
  const whole = new KillableProcess(Infinity);
  await runJobs(whole.pool(pool), ...JOBS);
  const uninterrupted = await result(pool);
  expect(uninterrupted.grades).toHaveLength(CROWD);
  expect(uninterrupted.due).toEqual([]);
  expect(uninterrupted.skill.bets).toHaveLength(18);
  // Two events of one night: a pair in both orders.
  expect(uninterrupted.skill.evidence.filter(({ storyInformation }) => storyInformation > 0)).toHaveLength(6);
  expect(whole.steps).toBeGreaterThan(10);
  for (let dieAfter = 1; dieAfter <= whole.steps; dieAfter++) {
    await prepare(pool);
    const life = new KillableProcess(dieAfter);
    const death = await runJobs(life.pool(pool), ...JOBS).catch((error: unknown) => error);
    expect(death).toBeInstanceOf(ProcessKilled);
    // Enqueued work is lost with its process and is enqueued again once its lease has expired.
    await pool.query("update work_leases set enqueued_at = enqueued_at - interval '1 hour'");
    await runJobs(pool, ...JOBS, ...JOBS);
    expect(await result(pool), `killed after step ${dieAfter}`).toEqual(uninterrupted);
  }
});
