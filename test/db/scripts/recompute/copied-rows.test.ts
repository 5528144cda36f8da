import { sql } from "drizzle-orm";
import type pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { indexWords } from "../../../../scripts/recompute/binary-row.ts";
import { CopiedRows } from "../../../../scripts/recompute/copied-rows.ts";
import { copyInSnapshot } from "../../../../scripts/recompute/copy-batch.ts";
import { connectClient } from "../../../support/database/connect-client.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

async function copy(client: pg.Client, select: ReturnType<typeof sql>): Promise<CopiedRows> {
  const rows = new CopiedRows();
  await copyInSnapshot(client, [{ select, to: rows }]);
  return rows;
}

const WORDS = indexWords(["merge", "split", "buy"]);

test("values of every type are read as Postgres stores them", async () => {
  const rows = await copy(
    await connectClient(database.databaseUrl),
    sql`select 9007199254740991::bigint, (-9223372036854775808)::bigint, null::bigint, -7::int, null::int, -3::smallint, true, false,
      timestamptz '2025-10-09 08:53:20.123456Z', timestamptz '1969-12-31 23:59:59.5Z', null::timestamptz, date '1999-12-31',
      'split', '\\x00ff0a'::bytea, 5::bigint`,
  );
  const row = rows.reader();
  const [offset = 0] = rows.offsetsOf(2 ** 53 - 1);
  row.moveTo(offset);
  expect(row.id()).toBe(2 ** 53 - 1);
  expect(row.bigint()).toBe(-(2n ** 63n));
  expect(row.bigintOrNull()).toBeNull();
  expect(row.int()).toBe(-7);
  expect(row.intOrNull()).toBeNull();
  expect(row.smallint()).toBe(-3);
  expect(row.boolean()).toBe(true);
  expect(row.boolean()).toBe(false);
  expect(row.instant()).toBe(Date.UTC(2025, 9, 9, 8, 53, 20, 123) + 0.456);
  expect(row.instant()).toBe(-500);
  expect(row.instantOrNull()).toBeNull();
  expect(row.day()).toBe(Date.UTC(1999, 11, 31) / 86_400_000);
  expect(row.word(WORDS)).toBe("split");
  const hashAt = row.skip();
  expect(row.bigint()).toBe(5n);
  expect(row.bytesAt(hashAt)).toBe("\u0000\u00ff\n");
});

test("rows are found by their first column, and the memory is used again", async () => {
  const client = await connectClient(database.databaseUrl);
  const rows = new CopiedRows();
  const ofThirds = (last: number) =>
    sql`select (n % 3)::bigint, n::bigint from generate_series(1, ${sql.raw(String(last))}) n order by n`;
  const valuesOf = (id: number) => {
    const row = rows.reader();
    return rows.offsetsOf(id).map((offset) => {
      row.moveTo(offset);
      row.id();
      return Number(row.bigint());
    });
  };
  await copyInSnapshot(client, [{ select: ofThirds(30_000), to: rows }]);
  expect([...rows.ids()].toSorted()).toEqual([0, 1, 2]);
  expect(valuesOf(2)).toEqual(Array.from({ length: 10_000 }, (_, n) => 3 * n + 2));

  rows.clear();
  await copyInSnapshot(client, [{ select: ofThirds(5), to: rows }]);
  expect([valuesOf(0), valuesOf(1), valuesOf(2)]).toEqual([[3], [1, 4], [2, 5]]);

  rows.clear();
  await copyInSnapshot(client, [{ select: ofThirds(0), to: rows }]);
  expect([...rows.ids()]).toEqual([]);
});

test("several queries see one snapshot and keep their rows apart", async () => {
  const [client, writer] = [await connectClient(database.databaseUrl), await connectClient(database.databaseUrl)];
  await writer.query("create table changing (id bigint)");
  const [first, second, third] = [new CopiedRows(), new CopiedRows(), new CopiedRows()];
  const copying = copyInSnapshot(client, [
    { select: sql`select count(*), pg_sleep(1)::text from changing`, to: first },
    { select: sql`select 7::bigint where false`, to: second },
    { select: sql`select count(*) from changing`, to: third },
  ]);
  await writer.query("select pg_sleep(0.3)");
  await writer.query("insert into changing values (1)");
  await copying;
  expect([first, second, third].map((rows) => [...rows.ids()])).toEqual([[0], [], [0]]);
});

test("a null and a value of another type are refused", async () => {
  const rows = await copy(await connectClient(database.databaseUrl), sql`select 1::bigint, null::bigint, 2::int`);
  const row = rows.reader();
  row.moveTo(rows.offsetsOf(1)[0] ?? 0);
  row.id();
  expect(() => row.bigint()).toThrow("a null where a value is expected");
  expect(() => row.bigint()).toThrow("a value of 4 bytes where 8 are expected");
});

test("a text that is none of the words is refused", async () => {
  const rows = await copy(await connectClient(database.databaseUrl), sql`select 1::bigint, 'burn'`);
  const row = rows.reader();
  row.moveTo(rows.offsetsOf(1)[0] ?? 0);
  row.id();
  expect(() => row.word(WORDS)).toThrow("an unknown word: burn");
  expect(() => indexWords(["merge", "mayor"])).toThrow("same length and first letter");
});

test("an error of Postgres rejects the copy", async () => {
  await expect(
    copy(await connectClient(database.databaseUrl), sql`select 1 / (n - 3) from generate_series(1, 5) n`),
  ).rejects.toThrow("division by zero");
});
