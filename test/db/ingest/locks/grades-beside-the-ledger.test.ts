import type { Pool } from "@neondatabase/serverless";
import { beforeEach, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { gradeDueTraders, gradeSlice, type GradedSlice } from "../../../../src/ingest/skill/grade-traders.ts";
import { storeSkillPopulation } from "../../../../src/ingest/skill/skill-populations.ts";
import type { SettledBet } from "../../../../src/scoring/skill/settled-bet.ts";
import { aSettledBet } from "../../../support/a-settled-bet.ts";
import { beforeEachQuery, textsOf } from "../../../support/database/before-each-query.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { joinIngest } from "../../../support/ingest/ingest-under-test.ts";
import { waitForLedgerWaiters, whileLedgerIsLocked } from "../../../support/ingest/ledger-lock.ts";
import { aTrade, pageOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import { aSkilledTrader } from "../../../support/ingest/worlds/skill-jobs.ts";

const POPULATION = {
  ...{ traders: 500, mean: -0.02, variance: 0.01, dispersion: 1, storyCorrelation: 0 },
  ...{ typicalVariance: 0.25, significance: 9, closing: null },
};
const TRADERS = [1, 2, 3];

const bets = (count: number, won: number): SettledBet[] =>
  Array.from({ length: count }, (_, n) =>
    aSettledBet({ cluster: `c${n}`, price: 0.5, usd: 100, payout: n < won ? 1 : 0 }),
  );

let database: TestDatabase;
let pool: Pool;
let other: Pool;
beforeEach(async () => {
  database = await createTestDatabase();
  [pool, other] = [database.openPool(), database.openPool()];
  await inTransaction(pool, (session) => storeSkillPopulation(session, POPULATION));
  for (const n of TRADERS) await aSkilledTrader(pool, walletOf(n), bets(60, 30 + n));
});

/** Grades with `work` between the computing of the grades and the message that takes the ledger lock. */
async function gradeWith(work: () => Promise<unknown>): Promise<GradedSlice> {
  let isDone = false;
  const before: string[] = [];
  const watched = beforeEachQuery(pool, async (statement) => {
    if (isDone) return;
    if (!textsOf(statement).some((text) => text.includes("pg_advisory_xact_lock"))) {
      before.push(...textsOf(statement));
      return;
    }
    isDone = true;
    await work();
  });
  const slice = await inTransaction(watched, (session) => gradeSlice(session, 300));
  expect(isDone).toBe(true);
  for (const table of ["trader_skill", "skill_populations"])
    expect(before.filter((text) => text.includes(`from "${table}"`))).not.toEqual([]);
  return slice;
}

const gradesOf = async (n: number) =>
  (
    await pool.query<{ grade: string | null; bets: number; valid: number; published: number }>(
      `select g.grade, (g.components -> 'evidence' ->> 'bets')::int as bets,
         (extract(epoch from g.valid_from) * 1000)::float8 as valid, (extract(epoch from g.published_at) * 1000)::float8 as published
       from trader_grades g join traders t on t.id = g.trader_id where t.address = $1 order by g.id`,
      [walletOf(n)],
    )
  ).rows;

const dueTraders = async () =>
  (
    await pool.query<{ address: string }>(
      `select t.address from trader_skill s join traders t on t.id = s.trader_id where s.is_due order by t.address`,
    )
  ).rows.map(({ address }) => address);

test("grades are computed while another transaction holds the ledger lock, in a transaction without an id", async () => {
  const graded = await whileLedgerIsLocked(other, async () => {
    const running = inTransaction(pool, (session) => gradeSlice(session, 300));
    const watcher = database.openPool();
    await waitForLedgerWaiters(watcher);
    const { rows } = await watcher.query(
      `select a.backend_xid is null as has_no_id from pg_locks l join pg_stat_activity a on a.pid = l.pid
       where not l.granted and a.datname = current_database()`,
    );
    expect(rows).toEqual([{ has_no_id: true }]);
    return { running };
  });
  expect(await graded.running).toEqual({ due: 3, graded: 3 });
  expect(await dueTraders()).toEqual([]);
});

test("a page of trades is recorded while grades are computed", async () => {
  const slice = await gradeWith(() => joinIngest(other).apply("all", pageOf([aTrade({ n: 1, wallet: 9 })])));
  expect(slice).toEqual({ due: 3, graded: 3 });
  const { rows } = await pool.query(`select from ledger_entries`);
  expect(rows).toHaveLength(1);
});

test("a trader whose evidence changes after its grade was computed gets no grade of the old evidence and stays due", async () => {
  const slice = await gradeWith(() => aSkilledTrader(other, walletOf(2), bets(70, 40)));
  expect(slice).toEqual({ due: 3, graded: 2 });
  expect(await gradesOf(2)).toEqual([]);
  expect(await dueTraders()).toEqual([walletOf(2)]);
  await gradeDueTraders(pool);
  expect(await gradesOf(2)).toMatchObject([{ bets: 70 }]);
  expect(await gradesOf(1)).toHaveLength(1);
});

test("a trader whose evidence is being changed is not waited for, and stays due", async () => {
  const client = await other.connect();
  await client.query("begin");
  await client.query(
    `update trader_skill set bets = bets + 1 where trader_id = (select id from traders where address = $1)`,
    [walletOf(2)],
  );
  const slice = await inTransaction(pool, (session) => gradeSlice(session, 300));
  await client.query("commit");
  client.release();
  expect(slice).toEqual({ due: 3, graded: 2 });
  expect(await dueTraders()).toEqual([walletOf(2)]);
});

const REPLACEMENTS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ["replaced", () => inTransaction(other, (session) => storeSkillPopulation(session, { ...POPULATION, mean: 0.02 }))],
  [
    "stored, and makes no trader due",
    () =>
      other.query(
        `insert into skill_populations overriding system value
         select (jsonb_populate_record(p, jsonb_build_object('id', p.id + 1))).* from skill_populations p`,
      ),
  ],
];

test.each(REPLACEMENTS)("nothing is graded while another population is %s", async (_, replace) => {
  const slice = await gradeWith(replace);
  expect(slice).toEqual({ due: 3, graded: 0 });
  const { rows } = await pool.query(`select from trader_grades`);
  expect(rows).toEqual([]);
  expect(await dueTraders()).toHaveLength(3);
  await gradeDueTraders(pool);
  const { rows: used } = await pool.query(
    `select distinct population_id = (select max(id) from skill_populations) as newest from trader_grades`,
  );
  expect(used).toEqual([{ newest: true }]);
});

test("two graders at once grade each trader once", async () => {
  const slice = await gradeWith(() => gradeDueTraders(other));
  expect(slice).toEqual({ due: 3, graded: 0 });
  for (const n of TRADERS) expect(await gradesOf(n)).toHaveLength(1);
  expect(await dueTraders()).toEqual([]);
});

test("a later row of a trader is the later grade, also of graders that computed in the other order", async () => {
  await gradeWith(async () => {
    await gradeDueTraders(other);
    await aSkilledTrader(other, walletOf(1), bets(80, 70));
    await gradeDueTraders(other);
  });
  const rows = await gradesOf(1);
  expect(rows.map((row) => row.bets)).toEqual([60, 80]);
  const [first, second] = rows;
  expect(second?.valid).toBeGreaterThan(first?.published ?? Infinity);
});

/** What happened, by the order of the transactions' ids: the order of events. */
const eventTypes = async () =>
  (
    await pool.query<{ type: string }>(
      `select type from events where type in ('large_trade_inserted_v2', 'wallet_grade_changed') order by commit_xid, id`,
    )
  ).rows.map(({ type }) => type);

const LARGE = aTrade({ n: 1, wallet: 1, sharesMicro: 90_000_000_000n });
const hadGrade = () => pool.query(`update traders set grade = 'F', score = 1, graded_at = now() - interval '1 day'`);

test("a large trade that is recorded while grades are computed comes before them, with the grade before", async () => {
  await aSkilledTrader(pool, walletOf(1), bets(300, 200));
  await hadGrade();
  await gradeWith(() => joinIngest(other).apply("takers", pageOf([LARGE])));
  expect((await eventTypes())[0]).toBe("large_trade_inserted_v2");
  expect(await eventTypes()).toContain("wallet_grade_changed");
  const { rows } = await pool.query(
    `select payload ->> 'grade' as grade from events where type = 'large_trade_inserted_v2'`,
  );
  expect(rows).toEqual([{ grade: "F" }]);
});

test("a large trade that waits for the grades comes after them, with the new grade", async () => {
  await aSkilledTrader(pool, walletOf(1), bets(300, 200));
  await hadGrade();
  let recorded: Promise<unknown> = Promise.resolve();
  const holdsLock = beforeEachQuery(pool, async (statement) => {
    if (!textsOf(statement).includes("commit")) return;
    recorded = joinIngest(other).apply("takers", pageOf([LARGE]));
    await waitForLedgerWaiters(database.openPool());
  });
  await inTransaction(holdsLock, (session) => gradeSlice(session, 300));
  await recorded;
  expect((await eventTypes()).at(-1)).toBe("large_trade_inserted_v2");
  expect(await eventTypes()).toContain("wallet_grade_changed");
  const { rows } = await pool.query(
    `select payload ->> 'grade' = (select grade from traders where address = $1) as is_new, payload ->> 'grade' as grade
     from events where type = 'large_trade_inserted_v2'`,
    [walletOf(1)],
  );
  expect(rows).toEqual([{ is_new: true, grade: expect.not.stringMatching("F") }]);
});
