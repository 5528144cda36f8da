import { beforeAll, describe, expect, test } from "vitest";
import { traderGrades, traders } from "../../../src/db/schema.ts";
import { findGradeAt } from "../../../src/queries/grades.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { joinIngest } from "../../support/ingest/ingest-under-test.ts";
import { aTrade, pageOf, walletOf } from "../../support/ingest/trades.ts";

const WALLET = 7;
let database: TestDatabase;
let traderId: number;
let ids: number[];

const at = (seconds: number) => new Date(1_760_000_000_000 + seconds * 1000);

/** Observed from 100 (published by 102) as B, from 200 (by 202) as ungraded, from 300 (by 302) as S. */
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const [wallet] = await db
    .insert(traders)
    .values({ address: walletOf(WALLET) })
    .returning({ id: traders.id });
  traderId = wallet?.id ?? 0;
  const observed = (seconds: number, facts: { grade: string | null; score: number | null; ungradedReason?: string }) => ({
    traderId,
    validFrom: at(seconds),
    publishedAt: at(seconds + 2),
    methodVersion: "skill-1",
    inputHash: "",
    components: {},
    ...facts,
  });
  const rows = await db
    .insert(traderGrades)
    .values([
      observed(100, { grade: "B", score: 55 }),
      observed(200, { grade: null, score: null, ungradedReason: "too_few_markets" }),
      observed(300, { grade: "S", score: 80 }),
    ])
    .returning({ id: traderGrades.id });
  ids = rows.map((row) => row.id);
});

// Seconds, status, letter, why nothing is known, which observation.
const MOMENTS = [
  [0, "unknown", null, "before_first_observation", null],
  [99, "unknown", null, "before_first_observation", null],
  [100, "unknown", null, "before_first_observation", null],
  [101, "unknown", null, "before_first_observation", null],
  [102, "graded", "B", null, 0],
  [199, "graded", "B", null, 0],
  [200, "unknown", null, "in_transition", null],
  [201, "unknown", null, "in_transition", null],
  [202, "ungraded", null, null, 1],
  [299, "ungraded", null, null, 1],
  [301, "unknown", null, "in_transition", null],
  [302, "graded", "S", null, 2],
  [1_000_000, "graded", "S", null, 2],
] as const;

describe("the grade of a wallet at a time", () => {
  test.each(MOMENTS)("%d s in: %s %s (%s)", async (seconds, status, grade, reason, place) => {
    const answer = await findGradeAt(database.db, { id: traderId }, at(seconds));
    expect(answer).toMatchObject({ status, reason, availableFrom: at(102).toISOString() });
    const { id, previous_id, grade: letter } = answer?.observation ?? { id: null, previous_id: null, grade: null };
    expect([id, previous_id, letter]).toEqual(place === null ? [null, null, null] : [ids[place], ids[place - 1] ?? null, grade]);
  });

  test("carries when it was computed, by when it was published, and by which method", async () => {
    const answer = await findGradeAt(database.db, { id: traderId }, at(250));
    expect(answer?.observation).toMatchObject({
      observed_at: at(200).toISOString(),
      published_by: at(202).toISOString(),
      method_version: "skill-1",
      ungraded_reason: "too_few_markets",
    });
  });

  test("is unknown of a wallet that was never graded", async () => {
    const address = walletOf(WALLET + 1);
    const [wallet] = await database.db.insert(traders).values({ address }).returning({ id: traders.id });
    const answer = await findGradeAt(database.db, { address }, at(250));
    const unknown = { status: "unknown", reason: "never_observed", observation: null, availableFrom: null };
    expect(answer).toEqual({ id: wallet?.id, address, ...unknown });
  });

  test("is no answer of a wallet that nobody has seen", async () => {
    expect(await findGradeAt(database.db, { address: walletOf(WALLET + 2) }, at(250))).toBeNull();
  });

  test("is unknown of a time that has not come", async () => {
    const answer = await findGradeAt(database.db, { id: traderId }, new Date(Date.now() + 60_000));
    expect(answer).toMatchObject({ status: "unknown", reason: "in_the_future", observation: null });
  });
});

test("a large trade is captured with the grade that was published when it happened, as the history tells it", async () => {
  const pool = database.openPool();
  const { apply } = joinIngest(pool);
  const large = { wallet: WALLET, sharesMicro: 20_000_000_000n, price: "0.5" };
  await apply(
    "takers",
    pageOf(MOMENTS.map(([seconds], place) => aTrade({ ...large, n: place + 1, atSeconds: at(seconds).getTime() / 1000 })).reverse()),
  );
  const { rows } = await pool.query(
    `select grade_at_trade as grade, grade_at_trade_status as status from large_trades order by traded_at, id`,
  );
  expect(rows).toEqual(MOMENTS.map(([, status, grade]) => ({ grade, status })));
});

test("a trade captured before its wallet was graded stays unknown when the wallet is graded since", async () => {
  const pool = database.openPool();
  const { apply } = joinIngest(pool);
  const trade = aTrade({ n: 99, wallet: 8, sharesMicro: 20_000_000_000n, atSeconds: at(500).getTime() / 1000 });
  await apply("takers", pageOf([trade]));
  await pool.query(
    `insert into trader_grades (trader_id, valid_from, published_at, method_version, input_hash, grade, score, components)
     select id, to_timestamp(1760000600), to_timestamp(1760000600), 'skill-1', '', 'A', 65, '{}' from traders where address = $1`,
    [walletOf(8)],
  );
  await apply("takers", pageOf([trade]));
  const { rows } = await pool.query(
    `select l.grade_at_trade_status as status from large_trades l join traders t on t.id = l.trader_id where t.address = $1`,
    [walletOf(8)],
  );
  expect(rows).toEqual([{ status: "unknown" }]);
});
