import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import journal from "../../../migrations/meta/_journal.json" with { type: "json" };
import { requireCurrentSchema, SchemaOutdated } from "../../../src/db/schema-version.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";

const NEWEST = journal.entries.at(-1)?.when ?? 0;

/** The result of the check and the log events it caused. */
async function check({ databaseUrl, db }: TestDatabase) {
  const logged: unknown[] = [];
  const note = (message: string, fields?: Record<string, unknown>) => void logged.push([message, fields]);
  const result = await requireCurrentSchema(databaseUrl, db, { info: note, warn: note, error: note }).catch(
    (error: unknown) => error,
  );
  return { isOutdated: result instanceof SchemaOutdated, result, logged };
}

const CURRENT = { isOutdated: false, result: undefined, logged: [] };

test("a migrated database is current", async () => {
  const database = await createTestDatabase();
  expect(await check(database)).toEqual(CURRENT);
});

test("a database with a newer migration than the build's is current", async () => {
  const database = await createTestDatabase();
  await database.db.execute(
    sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', ${NEWEST + 1})`,
  );
  expect(await check(database)).toEqual(CURRENT);
});

test("a database without the newest migration is outdated until it is migrated", async () => {
  const database = await createTestDatabase();
  await database.db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at - 1`);
  const { isOutdated, result, logged } = await check(database);
  expect(isOutdated).toBe(true);
  expect(String(result)).toContain(`its newest is ${NEWEST - 1}, this build needs ${NEWEST}`);
  expect(logged).toEqual([["schema.outdated", { stored_ms: NEWEST - 1, needed_ms: NEWEST }]]);
  await database.db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at + 1`);
  expect(await check(database)).toEqual(CURRENT);
});

test.each(["delete from drizzle.__drizzle_migrations", "drop schema drizzle cascade"])(
  "a database after `%s` is outdated, with an unknown newest migration",
  async (statement) => {
    const database = await createTestDatabase();
    await database.db.execute(sql.raw(statement));
    const { isOutdated, logged } = await check(database);
    expect(isOutdated).toBe(true);
    expect(logged).toEqual([["schema.outdated", { stored_ms: null, needed_ms: NEWEST }]]);
  },
);

test("a database that was found current is not read again", async () => {
  const database = await createTestDatabase();
  await check(database);
  await database.db.execute(sql`drop schema drizzle cascade`);
  expect(await check(database)).toEqual(CURRENT);
});
