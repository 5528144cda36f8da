import type { Pool } from "@neondatabase/serverless";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTransaction, type Session } from "../../../../src/db/client.ts";
import { recordGrade, StoredComponents } from "../../../../src/ingest/skill/grade-record.ts";
import { gradeDueWallets, gradeSlice } from "../../../../src/ingest/skill/grade-wallets.ts";
import { storePopulation } from "../../../../src/ingest/skill/populations.ts";
import { evidenceOf } from "../../../../src/scoring/skill/evidence.ts";
import { gradeOf } from "../../../../src/scoring/skill/grade.ts";
import { estimatePopulation } from "../../../../src/scoring/skill/population.ts";
import type { SettledBet } from "../../../../src/scoring/skill/settled-bet.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { emptyIngest } from "../../../support/ingest/empty-ingest.ts";
import { aSkilledWallet, emptySkill, runJobs } from "../../../support/ingest/skill.ts";
import { walletOf } from "../../../support/ingest/trades.ts";

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

/** One bet of a hundred dollars at even odds in each of so many clusters, of which so many won. */
const evenBets = (clusters: number, won: number, price = 0.5): SettledBet[] =>
  Array.from({ length: clusters }, (_, index) => ({ cluster: `c${index}`, price, usd: 100, payout: index < won ? 1 : 0 }));

/** What the wallets of a crowd won of thirty: most about half, some far more or less. */
const wonBy = (place: number) => 15 + ((place * 7) % 13) - 6;
const CROWD = Array.from({ length: 120 }, (_, index) => evenBets(30, wonBy(index)));

async function aCrowd(from = 1_000, crowd: readonly SettledBet[][] = CROWD): Promise<void> {
  for (const [index, bets] of crowd.entries()) await aSkilledWallet(pool, walletOf(from + index), bets);
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

const populations = async () => (await pool.query<{ id: string; wallets: number }>(`select * from skill_populations order by id`)).rows;
const published = async (address: string) =>
  (
    await pool.query(
      `select grade, score, forecast_score, forecast_evidence, graded_at is not null as published from traders where address = $1`,
      [address],
    )
  ).rows[0];

describe("the population", () => {
  test("is estimated from the wallets with enough evidence, and stored", async () => {
    await aCrowd();
    await aSkilledWallet(pool, walletOf(1), evenBets(9, 9));
    await runJobs(pool, "population");
    const expected = estimatePopulation(CROWD.map(evidenceOf));
    expect(await populations()).toMatchObject([
      {
        method_version: "skill-2",
        wallets: 120,
        mean: expected?.mean,
        variance: expected?.variance,
        typical_variance: expected?.typicalVariance,
      },
    ]);
  });

  test("is not there while too few wallets have settled bets, and that is no failure of the job", async () => {
    await aCrowd(1_000, CROWD.slice(0, 99));
    await runJobs(pool, "population", "grades");
    expect(await populations()).toEqual([]);
    expect((await history()).map((row) => row.ungraded_reason)).toEqual(Array.from({ length: 99 }, () => "population_unknown"));
  });

  test("stays for a day, unless twice as many wallets can be counted", async () => {
    await aCrowd();
    await runJobs(pool, "population", "population");
    expect(await populations()).toHaveLength(1);
    await aCrowd(2_000, CROWD.slice(0, 119));
    await runJobs(pool, "population");
    expect(await populations()).toHaveLength(1);
    await aCrowd(3_000, CROWD.slice(0, 1));
    await runJobs(pool, "population", "population");
    expect((await populations()).map((row) => row.wallets)).toEqual([120, 240]);
  });

  test("is estimated anew once it is a day old; the old one stays as it was", async () => {
    await aCrowd();
    await runJobs(pool, "population", "grades");
    await pool.query(`update skill_populations set as_of = as_of - interval '24 hours'`);
    const [old] = await populations();
    await runJobs(pool, "population", "grades");
    const all = await populations();
    expect(all).toHaveLength(2);
    expect(all[0]).toEqual(old);
    // The same wallets give the same figures, so no grade moves.
    expect(await history()).toHaveLength(120);
  });
});

describe("a grade", () => {
  test("given by an earlier version of the method stands until this one has a population", async () => {
    await aCrowd();
    await runJobs(pool, "population", "grades");
    await pool.query(`update skill_populations set method_version = 'earlier'; update trader_skill set is_due = true`);
    const before = await history();
    await runJobs(pool, "grades");
    // A message that was sent before this version was there.
    await gradeDueWallets(pool);
    expect(await history()).toEqual(before);
    await runJobs(pool, "population", "grades");
    expect((await populations()).length).toBe(2);
    expect((await pool.query(`select from trader_skill where is_due`)).rows).toEqual([]);
  });

  test("is in force and in the wallet's history, with what it was computed from", async () => {
    await aCrowd();
    await aSkilledWallet(pool, walletOf(1), evenBets(60, 45));
    await aSkilledWallet(pool, walletOf(2), evenBets(60, 15));
    await runJobs(pool, "population", "grades");
    const [best] = await history(walletOf(1));
    const [worst] = await history(walletOf(2));
    expect([best?.grade, worst?.grade]).toEqual(["S", "F"]);
    const { grade, score, forecast_score, forecast_evidence } = best ?? {};
    expect(await published(walletOf(1))).toEqual({ grade, score, forecast_score, forecast_evidence, published: true });
    expect(best?.population_id).toBe((await populations())[0]?.id);
  });

  test("of S, A or B makes the wallet hot, whom we then read in full; others stay as they were", async () => {
    await aCrowd();
    await runJobs(pool, "population", "grades");
    const { rows } = await pool.query<{ grade: string | null; tier: string; followed: boolean }>(
      `select t.grade, t.tier, s.trader_id is not null as followed from traders t left join wallet_syncs s on s.trader_id = t.id`,
    );
    const ranked = rows.filter(({ grade }) => grade !== null && ["S", "A", "B"].includes(grade));
    expect(ranked.length).toBeGreaterThan(0);
    expect(ranked.filter(({ tier, followed }) => tier !== "hot" || !followed)).toEqual([]);
    const others = rows.filter((row) => !ranked.includes(row));
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter(({ tier, followed }) => tier !== "cold" || followed)).toEqual([]);
  });

  test("can be computed again from its stored components: the same figures and the same hash", async () => {
    await aCrowd();
    await aSkilledWallet(pool, walletOf(1), evenBets(4, 4));
    await runJobs(pool, "grades", "population", "grades");
    const rows = await history();
    expect(new Set(rows.map((row) => row.ungraded_reason))).toEqual(new Set(["population_unknown", "too_few_markets", null]));
    for (const row of rows) {
      const { evidence, population } = StoredComponents.parse(row.components);
      const { grade, inputHash, components } = await recordGrade(evidence, population);
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

  test("its hash is that of the method's text over its evidence and population", async () => {
    await aSkilledWallet(pool, walletOf(1), evenBets(1, 1));
    await runJobs(pool, "grades");
    // By hand: one bet of 100 dollars at 0.50 that won: w 1, x 0.5, v 0.25.
    const text = `method skill-2\nbets 1\nclusters 1\nweight 1000000000\nedge 500000000\ninformation 250000000\nsquare_information 250000000
edge_edge 250000000\nedge_variance 125000000\nvariance_variance 62500000
population_wallets none\npopulation_mean none\npopulation_variance none\npopulation_dispersion none\npopulation_typical_variance none\n`;
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    expect((await history())[0]?.input_hash).toBe(Buffer.from(digest).toString("hex"));
  });

  test("that is computed again from the same evidence adds nothing", async () => {
    await aCrowd();
    await runJobs(pool, "population", "grades");
    const once = await history();
    await pool.query(`update trader_skill set is_due = true`);
    await runJobs(pool, "grades", "grades");
    expect(await history()).toEqual(once);
  });

  test("whose score has moved by less than half a point is not published, until small moves have added up to that", async () => {
    await aCrowd();
    await aSkilledWallet(pool, walletOf(1), evenBets(400, 200));
    await runJobs(pool, "population", "grades");
    const { population } = StoredComponents.parse((await history(walletOf(1)))[0]?.components);
    // A win of five dollars is a twentieth of a win in full.
    for (let wins = 1; wins <= 12; wins++) {
      const small = Array.from({ length: wins }, (_, index) => ({ cluster: `small${index}`, price: 0.5, usd: 5, payout: 1 }));
      const bets = [...evenBets(400, 200), ...small];
      await aSkilledWallet(pool, walletOf(1), bets);
      await runJobs(pool, "grades");
      const { score, forecastScore } = gradeOf(evidenceOf(bets), population);
      const shown = await published(walletOf(1));
      expect(Math.abs(shown.score - (score ?? 0))).toBeLessThan(0.5);
      expect(Math.abs(shown.forecast_score - (forecastScore ?? 0))).toBeLessThan(0.5);
    }
    const scores = (await history(walletOf(1))).map((row) => row.score ?? 0);
    expect(scores.length).toBeGreaterThan(2);
    expect(scores.length).toBeLessThan(8);
  });

  test("that is none says why as of now, though no figure has moved", async () => {
    await aCrowd();
    await runJobs(pool, "population");
    for (const clusters of [9, 12, 13]) {
      await aSkilledWallet(pool, walletOf(1), evenBets(clusters, clusters, 0.97));
      await runJobs(pool, "grades");
    }
    expect((await history(walletOf(1))).map((row) => row.ungraded_reason)).toEqual(["too_few_markets", "too_little_information"]);
  });

  test("that moves adds a row and leaves the older ones as they were", async () => {
    await aCrowd();
    await aSkilledWallet(pool, walletOf(1), evenBets(60, 45));
    await runJobs(pool, "population", "grades");
    const before = await history(walletOf(1));
    await aSkilledWallet(pool, walletOf(1), evenBets(80, 30));
    await runJobs(pool, "grades");
    const after = await history(walletOf(1));
    expect(after.slice(0, 1)).toEqual(before);
    expect(after.map((row) => row.grade)).toEqual(["S", "F"]);
    expect(await published(walletOf(1))).toMatchObject({ grade: "F", score: after[1]?.score });
  });

  test("is lost with the bets it rested on", async () => {
    await aCrowd();
    await aSkilledWallet(pool, walletOf(1), evenBets(60, 45));
    await runJobs(pool, "population", "grades");
    await aSkilledWallet(pool, walletOf(1), []);
    await runJobs(pool, "grades");
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
    const { rows } = await pool.query(`select from trader_skill s join traders t on t.id = s.trader_id where t.address = $1`, [
      walletOf(1),
    ]);
    expect(rows).toEqual([]);
  });
});

test("a population that comes while wallets are being graded is the one that all of them end with", async () => {
  const OTHER = { wallets: 500, mean: 0.3, variance: 0.09, dispersion: 1, typicalVariance: 0.25 };
  const beside = database.openPool();
  for (let moment = 0, statements = Infinity; moment <= statements; moment++) {
    await emptySkill(pool);
    await emptyIngest(pool);
    await aCrowd();
    await runJobs(pool, "population");
    let told = 0;
    let stored: Promise<void> | null = null;
    const storeOther = async () => {
      stored = inTransaction(beside, (session) => storePopulation(session, OTHER));
      // It may have to wait for the wallets that are being graded.
      await Promise.race([stored, new Promise((resolve) => setTimeout(resolve, 100))]);
    };
    await inTransaction(pool, async (session) => {
      const watched = new Proxy<Session>(session, {
        get: (target, name) =>
          name !== "query"
            ? Reflect.get(target, name)
            : async (...args: [string, unknown[]]) => {
                if (told++ === moment) await storeOther();
                return target.query(...args);
              },
      });
      await gradeSlice(watched, 300);
      if (told === moment) await storeOther();
    });
    statements = told;
    await stored;
    await runJobs(pool, "grades");
    const newest = (await populations()).at(-1)?.id;
    const last = new Map((await history()).map((row) => [row.address, row.population_id]));
    expect(
      [...last.values()].filter((id) => id !== newest),
      `stored before statement ${moment}`,
    ).toEqual([]);
  }
});

describe("wallet_grade_changed", () => {
  const announced = async () =>
    (
      await pool.query<{ payload: Record<string, unknown> }>(`select payload from events where type = 'wallet_grade_changed' order by id`)
    ).rows.map((row) => row.payload);

  test("is announced when one letter becomes another, with its direction; a first letter is not", async () => {
    await aCrowd();
    const id = await aSkilledWallet(pool, walletOf(1), evenBets(60, 45));
    await runJobs(pool, "population", "grades");
    expect(await announced()).toEqual([]);
    await aSkilledWallet(pool, walletOf(1), evenBets(80, 30));
    await runJobs(pool, "grades");
    const today = new Date().toISOString().slice(0, 10);
    const [, low] = await history(walletOf(1));
    const common = { wallet: walletOf(1), trader_id: Number(id), date: today, grade_floor: "F" };
    expect(await announced()).toEqual([{ ...common, old_grade: "S", new_grade: "F", direction: "downgrade", final_score: low?.score }]);
    await aSkilledWallet(pool, walletOf(1), evenBets(60, 45));
    await runJobs(pool, "grades");
    expect((await announced()).slice(1)).toMatchObject([{ ...common, old_grade: "F", new_grade: "S", direction: "upgrade" }]);
  });
});
