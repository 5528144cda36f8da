import { beforeAll, describe, expect, test } from "vitest";
import { traderGrades, traders } from "../../../../src/db/schema.ts";
import { findGradeAt } from "../../../../src/queries/traders/grade-history.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { joinIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aTrade, pageOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";

const TRADER = 7;
let database: TestDatabase;
let traderId: number;
let ids: number[];

const at = (seconds: number) => new Date(1_760_000_000_000 + seconds * 1000);

/**
 * Grade B observed at 100 (published by 102), ungraded at 200 (by 202), grade S at 300 (by 302). Times in
 * seconds.
 */
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const [wallet] = await db
    .insert(traders)
    .values({ address: walletOf(TRADER) })
    .returning({ id: traders.id });
  traderId = wallet?.id ?? 0;
  const observed = (
    seconds: number,
    facts: { grade: string | null; score: number | null; ungradedReason?: string },
  ) => ({
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

// Seconds, status, grade, reason of an unknown grade, index of the observation.
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

describe("the grade of a trader at a time", () => {
  test.each(MOMENTS)(
    "the grade after %d s is %s %s, with the reason %s",
    async (seconds, status, grade, reason, index) => {
      const answer = await findGradeAt(database.db, { id: traderId }, at(seconds));
      expect(answer).toMatchObject({ status, reason, availableFrom: at(102).toISOString() });
      const { id, previous_id, grade: letter } = answer?.observation ?? { id: null, previous_id: null, grade: null };
      expect([id, previous_id, letter]).toEqual(
        index === null ? [null, null, null] : [ids[index], ids[index - 1] ?? null, grade],
      );
    },
  );

  test("the grade at a time has the time and method of its computation and the time of its publication", async () => {
    const answer = await findGradeAt(database.db, { id: traderId }, at(250));
    expect(answer?.observation).toMatchObject({
      observed_at: at(200).toISOString(),
      published_by: at(202).toISOString(),
      method_version: "skill-1",
      ungraded_reason: "too_few_markets",
    });
  });

  test("the grade of a trader that was never graded is unknown", async () => {
    const address = walletOf(TRADER + 1);
    const [wallet] = await database.db.insert(traders).values({ address }).returning({ id: traders.id });
    const answer = await findGradeAt(database.db, { address }, at(250));
    const unknown = { status: "unknown", reason: "never_observed", observation: null, availableFrom: null };
    expect(answer).toEqual({ id: wallet?.id, address, ...unknown });
  });

  test("an unknown trader has no grade response", async () => {
    expect(await findGradeAt(database.db, { address: walletOf(TRADER + 2) }, at(250))).toBeNull();
  });

  test("the grade at a future time is unknown", async () => {
    const answer = await findGradeAt(database.db, { id: traderId }, new Date(Date.now() + 60_000));
    expect(answer).toMatchObject({ status: "unknown", reason: "in_the_future", observation: null });
  });
});

test("a large trade is captured with the grade that was published at its time, as in the history", async () => {
  const pool = database.openPool();
  const { apply } = joinIngest(pool);
  const large = { wallet: TRADER, sharesMicro: 20_000_000_000n, price: "0.5" };
  await apply(
    "takers",
    pageOf(
      MOMENTS.map(([seconds], index) =>
        aTrade({ ...large, n: index + 1, atSeconds: at(seconds).getTime() / 1000 }),
      ).reverse(),
    ),
  );
  const { rows } = await pool.query(
    `select grade_at_trade as grade, grade_at_trade_status as status from large_trades order by traded_at, id`,
  );
  expect(rows).toEqual(MOMENTS.map(([, status, grade]) => ({ grade, status })));
});

test("a trade captured before its trader's first grade keeps an unknown grade", async () => {
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
