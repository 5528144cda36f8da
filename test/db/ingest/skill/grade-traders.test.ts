import type { Pool } from "@neondatabase/serverless";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { recordGrade, StoredComponents } from "../../../../src/ingest/skill/grade-record.ts";
import { gradeDueTraders, gradeSlice } from "../../../../src/ingest/skill/grade-traders.ts";
import { storeSkillPopulation } from "../../../../src/ingest/skill/skill-populations.ts";
import { evidenceOf } from "../../../../src/scoring/skill/evidence.ts";
import { gradeOf } from "../../../../src/scoring/skill/grade.ts";
import { estimatePopulation } from "../../../../src/scoring/skill/population.ts";
import { METHOD_VERSION } from "../../../../src/scoring/skill/parameters.ts";
import type { SettledBet } from "../../../../src/scoring/skill/settled-bet.ts";
import { beforeEachQuery } from "../../../support/database/before-each-query.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { emptyIngest } from "../../../support/ingest/empty-ingest.ts";
import { aSettledBet } from "../../../support/a-settled-bet.ts";
import {
  aSkilledTrader as storeSkilledTrader,
  emptySkill,
  runJobs,
} from "../../../support/ingest/worlds/skill-jobs.ts";
import { walletOf } from "../../../support/ingest/provider/provider-trades.ts";

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  pool = database.openPool();
  await emptySkill(pool);
  await emptyIngest(pool);
});

/**
 * One bet of a hundred dollars in each cluster, by default at even odds; the first `won` clusters are won.
 */
const evenBets = (clusters: number, won: number, price = 0.5): SettledBet[] =>
  Array.from({ length: clusters }, (_, index) =>
    aSettledBet({ cluster: `c${index}`, price, usd: 100, payout: index < won ? 1 : 0 }),
  );

/** A trader with its markets, whose results counted today by default. */
const aSkilledTrader = (
  to: Pool,
  address: string,
  bets: readonly SettledBet[],
  settledDaysAgo: (bet: SettledBet) => number = () => 0,
) => storeSkilledTrader(to, address, bets, settledDaysAgo);

/** Wins of thirty bets in a crowd: most traders win about half, some far more or fewer. */
const wonBy = (index: number) => 15 + ((index * 7) % 13) - 6;
const CROWD = Array.from({ length: 120 }, (_, index) => evenBets(30, wonBy(index)));

async function aCrowd(from = 1_000, crowd: readonly SettledBet[][] = CROWD): Promise<void> {
  for (const [index, bets] of crowd.entries()) await aSkilledTrader(pool, walletOf(from + index), bets);
}

interface GradeRow {
  readonly address: string;
  readonly grade: string | null;
  readonly score: number | null;
  readonly forecast_score: number | null;
  readonly forecast_evidence: number | null;
  readonly ungraded_reason: string | null;
  readonly input_hash: string;
  readonly population_id: string | null;
  readonly components: unknown;
}

async function history(address?: string): Promise<GradeRow[]> {
  const { rows } = await pool.query<GradeRow>(
    `select t.address, g.* from trader_grades g join traders t on t.id = g.trader_id where $1::text is null or t.address = $1 order by g.id`,
    [address ?? null],
  );
  return rows;
}

const populations = async () =>
  (await pool.query<{ id: string; wallets: number }>(`select * from skill_populations order by id`)).rows;
const published = async (address: string) =>
  (
    await pool.query(
      `select grade, score, forecast_score, forecast_evidence, graded_at is not null as published from traders where address = $1`,
      [address],
    )
  ).rows[0];

describe("the population of skill", () => {
  test("the population is estimated from the traders with enough evidence, and stored", async () => {
    await aCrowd();
    await aSkilledTrader(pool, walletOf(1), evenBets(9, 9));
    await runJobs(pool, "estimate_population");
    const expected = estimatePopulation(CROWD.map(evidenceOf));
    expect(await populations()).toMatchObject([
      {
        method_version: "skill-7",
        wallets: 120,
        mean: expected?.mean,
        variance: expected?.variance,
        typical_variance: expected?.typicalVariance,
      },
    ]);
  });

  test("the first population of a method waits until the bets of all markets are of its version", async () => {
    await aCrowd();
    await pool.query(
      `insert into skill_markets (market_id, trader_id, cluster, bets, usd_micro, edge_micro, variance_micro) values (1, 1, 1, 1, 1, 1, 1)`,
    );
    await runJobs(pool, "estimate_population");
    expect(await populations()).toEqual([]);
    await pool.query(`update skill_markets set story = 0`);
    await runJobs(pool, "estimate_population");
    expect(await populations()).toHaveLength(1);
  });

  test("without enough traders with settled bets there is no population, and the job does not fail", async () => {
    await aCrowd(1_000, CROWD.slice(0, 99));
    await runJobs(pool, "estimate_population", "grade_traders");
    expect(await populations()).toEqual([]);
    expect((await history()).map((row) => row.ungraded_reason)).toEqual(
      Array.from({ length: 99 }, () => "population_unknown"),
    );
  });

  test("the population is kept for a day unless the number of eligible traders doubles", async () => {
    await aCrowd();
    await runJobs(pool, "estimate_population", "estimate_population");
    expect(await populations()).toHaveLength(1);
    await aCrowd(2_000, CROWD.slice(0, 119));
    await runJobs(pool, "estimate_population");
    expect(await populations()).toHaveLength(1);
    await aCrowd(3_000, CROWD.slice(0, 1));
    await runJobs(pool, "estimate_population", "estimate_population");
    expect((await populations()).map((row) => row.wallets)).toEqual([120, 240]);
  });

  test("the population is estimated again after a day, and the old one is not changed", async () => {
    await aCrowd();
    await runJobs(pool, "estimate_population", "grade_traders");
    await pool.query(`update skill_populations set as_of = as_of - interval '24 hours'`);
    const [old] = await populations();
    await runJobs(pool, "estimate_population", "grade_traders");
    const all = await populations();
    expect(all).toHaveLength(2);
    expect(all[0]).toEqual(old);
    // The same traders give the same estimate, so no grade changes.
    expect(await history()).toHaveLength(120);
  });
});

describe("grades", () => {
  test("a grade of an earlier method version is kept until the current version has a population", async () => {
    await aCrowd();
    await runJobs(pool, "estimate_population", "grade_traders");
    await pool.query(`update skill_populations set method_version = 'earlier'; update trader_skill set is_due = true`);
    const before = await history();
    await runJobs(pool, "grade_traders");
    // A message sent before the deployment of this version.
    await gradeDueTraders(pool);
    expect(await history()).toEqual(before);
    await runJobs(pool, "estimate_population", "grade_traders");
    expect((await populations()).length).toBe(2);
    expect((await pool.query(`select from trader_skill where is_due`)).rows).toEqual([]);
  });

  test("a grade is published and stored in the trader's history with its population", async () => {
    await aCrowd();
    await aSkilledTrader(pool, walletOf(1), evenBets(60, 45));
    await aSkilledTrader(pool, walletOf(2), evenBets(60, 15));
    await runJobs(pool, "estimate_population", "grade_traders");
    const [best] = await history(walletOf(1));
    const [worst] = await history(walletOf(2));
    expect([best?.grade, worst?.grade]).toEqual(["S", "F"]);
    const { grade, score, forecast_score, forecast_evidence } = best ?? {};
    expect(await published(walletOf(1))).toEqual({ grade, score, forecast_score, forecast_evidence, published: true });
    expect(best?.population_id).toBe((await populations())[0]?.id);
  });

  test("a grade of S, A or B makes a trader hot and followed; other grades change nothing", async () => {
    await aCrowd();
    await runJobs(pool, "estimate_population", "grade_traders");
    const { rows } = await pool.query<{ grade: string | null; tier: string; followed: boolean }>(
      `select t.grade, t.tier, s.trader_id is not null as followed from traders t left join trader_syncs s on s.trader_id = t.id`,
    );
    const ranked = rows.filter(({ grade }) => grade !== null && ["S", "A", "B"].includes(grade));
    expect(ranked.length).toBeGreaterThan(0);
    expect(ranked.filter(({ tier, followed }) => tier !== "hot" || !followed)).toEqual([]);
    const others = rows.filter((row) => !ranked.includes(row));
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter(({ tier, followed }) => tier !== "cold" || followed)).toEqual([]);
  });

  test("a grade can be recomputed from its stored components with the same numbers and the same hash", async () => {
    await aCrowd();
    await aSkilledTrader(pool, walletOf(1), evenBets(4, 4));
    await runJobs(pool, "grade_traders", "estimate_population", "grade_traders");
    const rows = await history();
    expect(new Set(rows.map((row) => row.ungraded_reason))).toEqual(
      new Set(["population_unknown", "too_few_markets", null]),
    );
    for (const row of rows) {
      const { evidence, population, recent, previousGrade } = StoredComponents.parse(row.components);
      const { grade, inputHash, components } = await recordGrade(evidence, population, recent, previousGrade);
      expect(inputHash).toBe(row.input_hash);
      expect(components).toEqual(row.components);
      expect({
        grade: grade.grade,
        score: grade.score,
        forecast_score: grade.forecastScore,
        forecast_evidence: grade.forecastEvidence,
      }).toEqual({
        grade: row.grade,
        score: row.score,
        forecast_score: row.forecast_score,
        forecast_evidence: row.forecast_evidence,
      });
    }
  });

  test("the input hash of a grade covers the method's text, its evidence and its population", async () => {
    await aSkilledTrader(pool, walletOf(1), evenBets(1, 1));
    await runJobs(pool, "grade_traders");
    // Computed by hand: one won bet of 100 dollars at 0.50: w 1, x 0.5, v 0.25.
    const text = `method skill-7\nbets 1\nclusters 1\nweight 1000000000\nedge 500000000\ninformation 250000000\nsquare_information 250000000
edge_edge 250000000\nedge_variance 125000000\nvariance_variance 62500000
close_clusters 0\nclose_edge 0\nclose_information 0\nclose_square_information 0\nclose_edge_edge 0\nclose_edge_variance 0\nclose_variance_variance 0\ncross_edge_edge 0\ncross_edge_variance 0\ncross_variance_edge 0\ncross_variance_variance 0\nstory_edge_edge 0\nstory_edge_variance 0\nstory_variance_variance 0\nstory_information 0
population_wallets none\npopulation_mean none\npopulation_variance none\npopulation_dispersion none\npopulation_typical_variance none
population_significance none
population_close_mean none\npopulation_close_variance none\npopulation_close_covariance none\npopulation_close_significance none\npopulation_close_dispersion none\npopulation_cross_dispersion none\npopulation_story_correlation none\nrecent none\nprevious_grade none\n`;
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    expect((await history())[0]?.input_hash).toBe(Buffer.from(digest).toString("hex"));
  });

  // Thirty even bets on one night, and on thirty: information 7.5, pairs 30 * 29 * 0.25 = 217.5, design effect 1 + 29 * 0.2 = 6.8.
  test("thirty events of one night weigh as much as their design effect leaves", async () => {
    const oneNight = evenBets(30, 18).map((bet) => ({ ...bet, story: "night" }));
    await aSkilledTrader(pool, walletOf(1), oneNight);
    await aSkilledTrader(pool, walletOf(2), evenBets(30, 18));
    const moments = { mean: -0.02, variance: 0.01, dispersion: 1, storyCorrelation: 0.2 };
    await inTransaction(pool, (session) =>
      storeSkillPopulation(session, {
        traders: 500,
        ...moments,
        typicalVariance: 0.25,
        significance: 9,
        closing: null,
      }),
    );
    await runJobs(pool, "grade_traders");
    // Squares (as in estimate-skill.test.ts) 7.4689655, squared error 7.4689655 / 7.5² = 0.13278161, own share 0.01 / (0.01 +
    // error): of independent events 0.0700378, of one night with 6.8 times the error 0.0109536.
    expect((await history(walletOf(1)))[0]?.forecast_evidence).toBe(0.011);
    expect((await history(walletOf(2)))[0]?.forecast_evidence).toBe(0.07);
  });

  test("a grade that is recomputed from the same evidence adds no history row", async () => {
    await aCrowd();
    await runJobs(pool, "estimate_population", "grade_traders");
    const once = await history();
    await pool.query(`update trader_skill set is_due = true`);
    await runJobs(pool, "grade_traders", "grade_traders");
    expect(await history()).toEqual(once);
  });

  test("a score is published again only when its changes add up to half a point", async () => {
    await aCrowd();
    await aSkilledTrader(pool, walletOf(1), evenBets(400, 200));
    await runJobs(pool, "estimate_population", "grade_traders");
    const { population } = StoredComponents.parse((await history(walletOf(1)))[0]?.components);
    // A bet of five dollars counts as a twentieth of a full bet.
    for (let wins = 1; wins <= 12; wins++) {
      const small = Array.from({ length: wins }, (_, index) =>
        aSettledBet({ cluster: `small${index}`, price: 0.5, usd: 5, payout: 1 }),
      );
      const bets = [...evenBets(400, 200), ...small];
      await aSkilledTrader(pool, walletOf(1), bets);
      await runJobs(pool, "grade_traders");
      const { score, forecastScore } = gradeOf(evidenceOf(bets), population, null);
      const current = await published(walletOf(1));
      expect(Math.abs(current.score - (score ?? 0))).toBeLessThan(0.5);
      expect(Math.abs(current.forecast_score - (forecastScore ?? 0))).toBeLessThan(0.5);
    }
    const scores = (await history(walletOf(1))).map((row) => row.score ?? 0);
    expect(scores.length).toBeGreaterThan(2);
    expect(scores.length).toBeLessThan(8);
  });

  test("a letter is kept within the margin of its limits, and one of an earlier method version gives no margin", async () => {
    await aCrowd();
    await runJobs(pool, "estimate_population", "grade_traders");
    const { population } = StoredComponents.parse((await history())[0]?.components);
    // A record that is a C, and stays a D within the margin.
    // A bet of five dollars counts as a twentieth of a full bet, so records differ by little.
    const small = Array.from({ length: 20 }, (_, index) =>
      aSettledBet({ cluster: `small${index}`, price: 0.5, usd: 5, payout: 1 }),
    );
    const bets = Array.from({ length: 1_200 }, (_, n) => [
      ...evenBets(400, 150 + Math.floor(n / 20)),
      ...small.slice(0, n % 20),
    ]).find(
      (record) =>
        gradeOf(evidenceOf(record), population, null).grade === "C" &&
        gradeOf(evidenceOf(record), population, null, "D").grade === "D",
    );
    if (bets === undefined) throw new Error("no record is near the floor of C");
    await aSkilledTrader(pool, walletOf(1), bets);
    await runJobs(pool, "grade_traders");
    const previous = "D";
    for (const [version, expected] of [
      [METHOD_VERSION, "D"],
      ["skill-2", "C"],
    ] as const) {
      await pool.query(`update trader_grades set grade = $1, method_version = $2`, [previous, version]);
      await pool.query(`update traders set grade = $1, score = 1`, [previous]);
      await pool.query(`update trader_skill set is_due = true`);
      await runJobs(pool, "grade_traders");
      const last = (await history(walletOf(1))).at(-1);
      expect(last?.grade).toBe(expected);
      expect(StoredComponents.parse(last?.components).previousGrade).toBe(version === METHOD_VERSION ? previous : null);
    }
  });

  test("an ungraded trader gets a new history row when its reason changes, even if no number does", async () => {
    await aCrowd();
    await runJobs(pool, "estimate_population");
    for (const clusters of [9, 12, 13]) {
      await aSkilledTrader(pool, walletOf(1), evenBets(clusters, clusters, 0.97));
      await runJobs(pool, "grade_traders");
    }
    expect((await history(walletOf(1))).map((row) => row.ungraded_reason)).toEqual([
      "too_few_markets",
      "too_little_information",
    ]);
  });

  test("a changed grade adds a history row and leaves the older rows unchanged", async () => {
    await aCrowd();
    await aSkilledTrader(pool, walletOf(1), evenBets(60, 45));
    await runJobs(pool, "estimate_population", "grade_traders");
    const before = await history(walletOf(1));
    await aSkilledTrader(pool, walletOf(1), evenBets(80, 30));
    await runJobs(pool, "grade_traders");
    const after = await history(walletOf(1));
    expect(after.slice(0, 1)).toEqual(before);
    expect(after.map((row) => row.grade)).toEqual(["S", "F"]);
    expect(await published(walletOf(1))).toMatchObject({ grade: "F", score: after[1]?.score });
  });

  test("a grade is withdrawn with the bets that it was based on", async () => {
    await aCrowd();
    await aSkilledTrader(pool, walletOf(1), evenBets(60, 45));
    await runJobs(pool, "estimate_population", "grade_traders");
    await aSkilledTrader(pool, walletOf(1), []);
    await runJobs(pool, "grade_traders");
    expect((await history(walletOf(1))).map((row) => [row.grade, row.ungraded_reason])).toEqual([
      ["S", null],
      [null, "too_few_markets"],
    ]);
    expect(await published(walletOf(1))).toMatchObject({
      grade: null,
      score: null,
      forecast_score: null,
      forecast_evidence: 0,
      published: true,
    });
    const { rows } = await pool.query(
      `select from trader_skill s join traders t on t.id = s.trader_id where t.address = $1`,
      [walletOf(1)],
    );
    expect(rows).toEqual([]);
  });
});

describe("recent evidence", () => {
  /** Traders that differ so much that a single strong one is not most of what the population shows. */
  const WIDE = Array.from({ length: 120 }, (_, index) => evenBets(30, 15 + ((index * 7) % 17) - 8));
  /** Two thirds won at even odds: an S as long as it goes on. */
  const STRONG = evenBets(300, 200);
  const daysAgo = ({ cluster }: SettledBet) => (cluster.startsWith("old") ? 91 : 90);
  const aged = (name: string, bets: readonly SettledBet[]) =>
    bets.map((bet) => ({ ...bet, cluster: `${name} ${bet.cluster}`, market: `${name} ${bet.market}` }));
  const letterOf = async (address: string) => (await published(address)).grade;
  const recentUntil = async (address: string) =>
    (
      await pool.query<{ until: string | null }>(
        `select to_char(recent_until at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as until
         from trader_skill s join traders t on t.id = s.trader_id where t.address = $1`,
        [address],
      )
    ).rows[0]?.until;
  /** The start of a day (UTC) that is so many days after today. */
  const startOfDay = async (days: number) =>
    (
      await pool.query<{ start: string }>(
        `select to_char((now() at time zone 'UTC')::date + $1::int, 'YYYY-MM-DD HH24:MI:SS') as start`,
        [days],
      )
    ).rows[0]?.start;

  test("a strong record whose markets all settled more than ninety days ago is no S and no A, one of ninety days ago is", async () => {
    await aCrowd(1_000, WIDE);
    await aSkilledTrader(pool, walletOf(1), aged("old", STRONG), daysAgo);
    await aSkilledTrader(pool, walletOf(2), aged("new", STRONG), daysAgo);
    await runJobs(pool, "estimate_population", "grade_traders");
    expect([await letterOf(walletOf(1)), await letterOf(walletOf(2))]).toEqual(["B", "S"]);
    const [old] = await history(walletOf(1));
    const [young] = await history(walletOf(2));
    expect(old).toMatchObject({ score: young?.score, forecast_score: young?.forecast_score });
    expect(StoredComponents.parse(young?.components).recent).toEqual(evidenceOf(STRONG));
    expect(StoredComponents.parse(old?.components).recent).toBeNull();
  });

  test("a strong record that goes on without edge is no S, whether it had one before or not", async () => {
    await aCrowd(1_000, WIDE);
    const ended = [...aged("old", STRONG), ...aged("new", evenBets(80, 40))];
    await aSkilledTrader(pool, walletOf(1), ended, daysAgo);
    await aSkilledTrader(pool, walletOf(2), aged("new", STRONG), daysAgo);
    await runJobs(pool, "estimate_population", "grade_traders");
    expect([await letterOf(walletOf(1)), await letterOf(walletOf(2))]).toEqual(["B", "S"]);
    await aSkilledTrader(pool, walletOf(2), ended, daysAgo);
    await runJobs(pool, "grade_traders");
    expect(await letterOf(walletOf(2))).toBe("B");
    expect(StoredComponents.parse((await history(walletOf(1)))[0]?.components).recent).toEqual(
      evidenceOf(evenBets(80, 40)),
    );
  });

  // Thirty even bets of one night, 18 won: the squared error of independent ones is 0.13278161 (see "thirty events of one night" above),
  // of one night 6.8 times that. With mean -0.02 and variance 0.01 the posterior mean is (-2 + 0.4 * precision) / (100 + precision), with
  // precisions of 7.531163 and 1.107524: probabilities of an edge above zero of 53.89 % and 43.85 %.
  test("recent events of one night prove as much as their design effect leaves", async () => {
    const recent = aged("new", evenBets(30, 18));
    const oneNight = recent.map((bet) => ({ ...bet, story: "night" }));
    await aSkilledTrader(pool, walletOf(1), [...aged("old", STRONG), ...oneNight], daysAgo);
    await aSkilledTrader(pool, walletOf(2), [...aged("old", STRONG), ...recent], daysAgo);
    const moments = { mean: -0.02, variance: 0.01, dispersion: 1, storyCorrelation: 0.2 };
    await inTransaction(pool, (session) =>
      storeSkillPopulation(session, {
        traders: 500,
        ...moments,
        typicalVariance: 0.25,
        significance: 9,
        closing: null,
      }),
    );
    await runJobs(pool, "grade_traders");
    const proofs = await Promise.all(
      [1, 2].map(async (wallet) => StoredComponents.parse((await history(walletOf(wallet)))[0]?.components)),
    );
    // Pairs in both orders: 30 * 29 * 0.25.
    expect(proofs.map((proof) => proof.recent?.storyInformation)).toEqual([217_500_000, 0]);
    expect(proofs.map((proof) => proof.estimate?.recentForecastScore)).toEqual([43.85, 53.89]);
    expect([await letterOf(walletOf(1)), await letterOf(walletOf(2))]).toEqual(["B", "A"]);
  });

  test("a letter is decided again when evidence stops being recent, without a new trade", async () => {
    await aCrowd(1_000, WIDE);
    await aSkilledTrader(pool, walletOf(1), aged("new", STRONG), daysAgo);
    await runJobs(pool, "estimate_population", "grade_traders");
    expect(await letterOf(walletOf(1))).toBe("S");
    // Markets of ninety days ago are recent until the end of today.
    expect(await recentUntil(walletOf(1))).toBe(await startOfDay(1));
    await runJobs(pool, "grade_traders");
    expect(await history(walletOf(1))).toHaveLength(1);
    // The clock of the database stays; a day passes for the stored days and the stored time.
    await pool.query(`update markets set settled_on = settled_on - 1`);
    await pool.query(`update trader_skill set recent_until = recent_until - interval '1 day'`);
    await runJobs(pool, "grade_traders");
    expect((await history(walletOf(1))).map(({ grade }) => grade)).toEqual(["S", "B"]);
    expect(await recentUntil(walletOf(1))).toBeNull();
  });

  test("a trader whose letter cannot depend on recent evidence is not decided again for it", async () => {
    await aCrowd(1_000, WIDE);
    await aSkilledTrader(pool, walletOf(1), aged("new", evenBets(60, 30)), daysAgo);
    await runJobs(pool, "estimate_population", "grade_traders");
    expect(await recentUntil(walletOf(1))).toBeNull();
    expect(StoredComponents.parse((await history(walletOf(1)))[0]?.components).recent).toBeNull();
  });
});

test("no trader has a letter above C in a population that does not show skill", async () => {
  // All of the same skill: the wins of thirty bets differ by luck alone, less than they would if traders differed.
  await aCrowd(
    1_000,
    Array.from({ length: 120 }, (_, index) => evenBets(30, 14 + (index % 3))),
  );
  await aSkilledTrader(pool, walletOf(1), evenBets(300, 290));
  await runJobs(pool, "estimate_population", "grade_traders");
  const [best] = await history(walletOf(1));
  expect(best).toMatchObject({ grade: "C" });
  expect(best?.score).toBeGreaterThan(75);
  expect(best?.forecast_score).toBeGreaterThan(87);
  expect(StoredComponents.parse(best?.components).population?.significance).toBeLessThan(1.75);
});

test("a population stored while traders are being graded is the one that all of them end with", async () => {
  const moments = { mean: 0.3, variance: 0.09, dispersion: 1, storyCorrelation: 0 };
  const OTHER = { traders: 500, ...moments, typicalVariance: 0.25, significance: 9, closing: null };
  const otherPool = database.openPool();
  for (let moment = 0, statements = Infinity; moment <= statements; moment++) {
    await emptySkill(pool);
    await emptyIngest(pool);
    await aCrowd();
    await runJobs(pool, "estimate_population");
    let statementCount = 0;
    let stored: Promise<void> | null = null;
    const storeOther = async () => {
      stored = inTransaction(otherPool, (session) => storeSkillPopulation(session, OTHER));
      // It may have to wait for the traders that are being graded.
      await Promise.race([stored, new Promise((resolve) => setTimeout(resolve, 100))]);
    };
    const watched = beforeEachQuery(pool, async (statement) => {
      // Text alone begins and ends the transaction.
      if (typeof statement !== "string" && statementCount++ === moment) await storeOther();
    });
    await inTransaction(watched, async (session) => {
      await gradeSlice(session, 300);
      if (statementCount === moment) await storeOther();
    });
    statements = statementCount;
    await stored;
    await runJobs(pool, "grade_traders");
    const newest = (await populations()).at(-1)?.id;
    const last = new Map((await history()).map((row) => [row.address, row.population_id]));
    expect(
      [...last.values()].filter((id) => id !== newest),
      `stored before statement ${moment}`,
    ).toEqual([]);
  }
});

describe("the wallet_grade_changed event", () => {
  const publishedEvents = async () =>
    (
      await pool.query<{ payload: Record<string, unknown> }>(
        `select payload from events where type = 'wallet_grade_changed' order by id`,
      )
    ).rows.map((row) => row.payload);

  test("wallet_grade_changed is published with its direction when one letter becomes another, but not for a first letter", async () => {
    await aCrowd();
    const id = await aSkilledTrader(pool, walletOf(1), evenBets(60, 45));
    await runJobs(pool, "estimate_population", "grade_traders");
    expect(await publishedEvents()).toEqual([]);
    await aSkilledTrader(pool, walletOf(1), evenBets(80, 30));
    await runJobs(pool, "grade_traders");
    const today = new Date().toISOString().slice(0, 10);
    const [, low] = await history(walletOf(1));
    const common = { wallet: walletOf(1), trader_id: Number(id), date: today, grade_floor: "F" };
    expect(await publishedEvents()).toEqual([
      { ...common, old_grade: "S", new_grade: "F", direction: "downgrade", final_score: low?.score },
    ]);
    await aSkilledTrader(pool, walletOf(1), evenBets(60, 45));
    await runJobs(pool, "grade_traders");
    expect((await publishedEvents()).slice(1)).toMatchObject([
      { ...common, old_grade: "F", new_grade: "S", direction: "upgrade" },
    ]);
  });
});
