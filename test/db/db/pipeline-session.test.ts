import { sql } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { atCommit, commitTogether, inTransaction, sessionOf } from "../../../src/db/client.ts";
import { integer, run, selectRow, selectRows } from "../../../src/db/sql.ts";
import { ingestCheckpoints } from "../../../src/db/schema.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});

/** Counts the messages that the sessions send from now on. */
function countMessages(): () => number {
  const spy = vi.spyOn(WebSocket.prototype, "send");
  onTestFinished(() => spy.mockRestore());
  return () => spy.mock.calls.length;
}

const Numbered = z.object({ n: integer });

test("statements of one tick are one message, run in order, and each gets its own rows", async () => {
  const pool = database.openPool();
  await pool.query("create table t (n int primary key, parent int references t)");
  const messages = countMessages();
  const { before, inserted, rows } = await inTransaction(pool, async (session) => {
    const [first, count, found] = await Promise.all([
      selectRows(session, sql`select n from t`, Numbered),
      run(session, sql`insert into t select n, null from generate_series(1, ${3}) n`),
      selectRows(session, sql`select n from t where n > ${1} order by n`, Numbered),
      run(session, sql`insert into t values (4, ${1})`),
    ]);
    return { before: first, inserted: count, rows: found };
  });
  expect({ before, inserted, rows }).toEqual({ before: [], inserted: 3, rows: [{ n: 2 }, { n: 3 }] });
  // The transaction's beginning is in the first message; the commit is the second.
  expect(messages()).toBe(2);
  expect((await pool.query("select count(*)::int as n from t")).rows).toEqual([{ n: 4 }]);
});

test("a statement that fails fails all of its message, and the transaction stores nothing", async () => {
  const pool = database.openPool();
  await pool.query("create table t (n int primary key)");
  const outcomes = inTransaction(pool, async (session) => {
    const settled = await Promise.allSettled([
      run(session, sql`insert into t values (1)`),
      run(session, sql`insert into t values (1)`),
      run(session, sql`insert into t values (2)`),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    const [failed] = settled;
    throw failed?.status === "rejected" ? failed.reason : new Error("the statement did not fail");
  });
  await expect(outcomes).rejects.toThrow('duplicate key value violates unique constraint "t_pkey"');
  expect((await pool.query("select count(*)::int as n from t")).rows).toEqual([{ n: 0 }]);
});

test("a transaction that ignores the failure of a statement stores nothing and fails", async () => {
  const pool = database.openPool();
  await pool.query("create table t (n int primary key)");
  const outcome = inTransaction(pool, async (session) => {
    await run(session, sql`insert into t values (1)`);
    await run(session, sql`insert into t values (1)`).catch(() => undefined);
    return "done";
  });
  await expect(outcome).rejects.toThrow("the transaction was rolled back: a statement had failed");
  expect((await pool.query("select count(*)::int as n from t")).rows).toEqual([{ n: 0 }]);
});

test("work that goes on after a failure stores nothing", async () => {
  const pool = database.openPool();
  await pool.query("create table t (n int)");
  let later: Promise<unknown> = Promise.resolve();
  await expect(
    inTransaction(pool, async (session) => {
      const ends = Promise.reject(new Error("one part failed"));
      later = (async () => {
        await run(session, sql`select 1`);
        await ends.catch(() => undefined);
        await run(session, sql`insert into t values (1)`);
      })();
      await Promise.all([ends, later]);
    }),
  ).rejects.toThrow("one part failed");
  await expect(later).rejects.toThrow("Failed query: insert into t values (1)");
  expect((await pool.query("select count(*)::int as n from t")).rows).toEqual([{ n: 0 }]);
});

test("values and times arrive as over a single statement", async () => {
  const pool = database.openPool();
  const statement = sql`select ${null}::text as nothing, ${"ü\n"}::text as text, ${7}::int as number, ${2n ** 62n}::bigint as big,
    ${true}::boolean as flag, ${"0.10"}::numeric as exact, '{"a":[1]}'::jsonb as json, '{1,2}'::int[] as list,
    '2026-11-27T10:00:00Z'::timestamptz as at`;
  const Row = z.record(z.string(), z.unknown());
  const alone = await selectRow(sessionOf(pool), statement, Row);
  const [batched] = await inTransaction(pool, (session) =>
    Promise.all([selectRow(session, statement, Row), run(session, sql`select 1`)]),
  );
  expect(batched).toEqual(alone);
  expect(batched).toMatchObject({ nothing: null, text: "ü\n", number: 7, big: "4611686018427387904", flag: true });
});

test("statements of the query builder return their typed rows", async () => {
  const pool = database.openPool();
  const state = { walked: 3 };
  const [, rows] = await inTransaction(pool, (session) =>
    Promise.all([
      session.insert(ingestCheckpoints).values({ feed: "f", state, updatedAt: new Date(0) }),
      session.select({ feed: ingestCheckpoints.feed, state: ingestCheckpoints.state }).from(ingestCheckpoints),
    ]),
  );
  expect(rows).toEqual([{ feed: "f", state }]);
});

test("a transaction without statements sends nothing but its end", async () => {
  const pool = database.openPool();
  await pool.query("select 1");
  const messages = countMessages();
  expect(await inTransaction(pool, async () => "done")).toBe("done");
  expect(messages()).toBe(1);
});

test("a session that is cut fails all statements of the batch", async () => {
  const pool = database.openPool();
  const failing = inTransaction(pool, async (session) => {
    const settled = await Promise.allSettled([
      run(session, sql`select pg_terminate_backend(pg_backend_pid())`),
      run(session, sql`select 1`),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    throw new Error("the session is gone");
  });
  await expect(failing).rejects.toThrow("the session is gone");
  expect((await pool.query("select 1 as n")).rows).toEqual([{ n: 1 }]);
});

test("statements at the commit run after all others, in order, and are one message with the commit", async () => {
  const pool = database.openPool();
  await pool.query("create table t (id int generated always as identity, n int)");
  const messages = countMessages();
  await inTransaction(pool, async (session) => {
    await atCommit(session, (last) =>
      Promise.all([run(last, sql`insert into t (n) values (3)`), run(last, sql`insert into t (n) values (4)`)]),
    );
    await run(session, sql`insert into t (n) values (1)`);
    await run(session, sql`insert into t (n) values (2)`);
  });
  expect(messages()).toBe(3);
  expect((await pool.query("select n from t order by id")).rows.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
});

test("a statement at the commit that fails undoes the whole transaction, which fails with its error", async () => {
  const pool = database.openPool();
  await pool.query("create table t (n int primary key)");
  const failing = inTransaction(pool, async (session) => {
    await run(session, sql`insert into t values (1)`);
    await atCommit(session, (last) =>
      Promise.all([run(last, sql`insert into t values (2)`), run(last, sql`insert into t values (1)`)]),
    );
  });
  await expect(failing).rejects.toThrow('duplicate key value violates unique constraint "t_pkey"');
  expect((await pool.query("select count(*)::int as n from t")).rows).toEqual([{ n: 0 }]);
});

test("a constraint that is checked at the commit fails the transaction", async () => {
  const pool = database.openPool();
  await pool.query("create table t (n int primary key, parent int references t deferrable initially deferred)");
  const failing = inTransaction(pool, (session) =>
    atCommit(session, (last) => run(last, sql`insert into t values (2, 1)`)),
  );
  await expect(failing).rejects.toThrow("violates foreign key constraint");
  expect((await pool.query("select count(*)::int as n from t")).rows).toEqual([{ n: 0 }]);
});

test("work at the commit that reads rows fails, and the transaction stores nothing", async () => {
  const pool = database.openPool();
  await pool.query("create table t (n int)");
  const failing = inTransaction(pool, (session) =>
    atCommit(session, async (last) => {
      const rows = await selectRows(last, sql`insert into t values (1) returning n`, Numbered);
      await run(last, sql`insert into t values (${rows.length})`);
    }),
  );
  await expect(failing).rejects.toThrow("a statement that is sent with the commit has no rows before it");
  expect((await pool.query("select count(*)::int as n from t")).rows).toEqual([{ n: 0 }]);
});

test("a statement after the commit is refused", async () => {
  const pool = database.openPool();
  await pool.query("create table t (n int)");
  let late: () => Promise<unknown> = async () => undefined;
  await inTransaction(pool, (session) =>
    atCommit(session, async (last) => {
      late = () => run(last, sql`insert into t values (1)`);
    }),
  );
  await expect(late()).rejects.toThrow("Failed query: insert into t values (1)");
  expect((await pool.query("select count(*)::int as n from t")).rows).toEqual([{ n: 0 }]);
});

test("statements that are committed together are one message, in their order, and each gives its rows", async () => {
  const pool = database.openPool();
  await pool.query("create table t (n int)");
  const messages = countMessages();
  const results = await commitTogether(pool, [
    sql`insert into t select n from generate_series(1, ${2}) n returning n`,
    sql`update t set n = n + ${10}`,
    sql`select n from t where n > ${11} order by n`,
  ]);
  expect(messages()).toBe(1);
  expect(results).toEqual([[{ n: 1 }, { n: 2 }], [], [{ n: 12 }]]);
  expect((await pool.query("select n from t order by n")).rows).toEqual([{ n: 11 }, { n: 12 }]);
});

test("a statement that fails undoes those that are committed with it", async () => {
  const pool = database.openPool();
  await pool.query("create table t (n int primary key)");
  const failing = commitTogether(pool, [sql`insert into t values (1)`, sql`insert into t values (1)`]);
  await expect(failing).rejects.toThrow('duplicate key value violates unique constraint "t_pkey"');
  expect((await pool.query("select count(*)::int as n from t")).rows).toEqual([{ n: 0 }]);
});
