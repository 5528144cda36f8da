import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { atCommit, inRepeatedTransaction } from "../../../src/db/client.ts";
import { integer, run, selectRows } from "../../../src/db/sql.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

type TestPool = ReturnType<TestDatabase["openPool"]>;

const addOne = (pool: TestPool, n: number) =>
  inRepeatedTransaction(pool, async (session) => {
    await run(session, sql`create temporary table if not exists added (n int)`);
    const rows = await selectRows(session, sql`select ${n}::int + 1 as sum`, z.object({ sum: integer }));
    await atCommit(session, (last) => run(last, sql`insert into added values (${n})`));
    return rows[0]?.sum;
  });

const prepared = async (pool: TestPool) =>
  (
    await pool.query<{ text: string; uses: number }>(
      `select split_part(statement, ' /*', 1) as text, (generic_plans + custom_plans)::int as uses
     from pg_prepared_statements order by prepare_time, text`,
    )
  ).rows;

test("a session prepares the statements of a repeated transaction once and executes them with each one's parameters", async () => {
  const pool = database.openPool();
  for (const n of [1, 2, 3]) expect(await addOne(pool, n)).toBe(n + 1);
  expect((await pool.query("select n from added order by n")).rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  const used = (await prepared(pool)).filter(({ text }) => /^(select|insert)/.test(text));
  expect(used.map(({ uses }) => uses)).toEqual([3, 3]);
});

test("after a failed transaction the pool's next session prepares its own statements", async () => {
  const pool = database.openPool();
  expect(await addOne(pool, 1)).toBe(2);
  const failing = inRepeatedTransaction(pool, async (session) => {
    await Promise.all([run(session, sql`select 1 as new`), run(session, sql`select 1 / 0`)]);
  });
  await expect(failing).rejects.toThrow("division by zero");
  expect(await addOne(pool, 4)).toBe(5);
  // The table, the selection, the insert and the commit; nothing of the failed transaction.
  expect(await prepared(pool)).toHaveLength(4);
});

// Last: afterwards this process prepares nothing.
test("a session that has lost its prepared statements fails one transaction, and then works without them", async () => {
  const pool = database.openPool();
  expect(await addOne(pool, 1)).toBe(2);
  await pool.query("deallocate all");
  await expect(addOne(pool, 2)).rejects.toThrow("does not exist");
  expect(await addOne(pool, 3)).toBe(4);
  expect(await prepared(pool)).toEqual([]);
});
