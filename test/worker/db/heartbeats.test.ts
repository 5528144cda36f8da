import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { beat, recordFailure } from "../../../src/db/heartbeats.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

const WAYS = [
  ["over HTTP", ({ db }: TestDatabase) => db],
  ["over a session", ({ openPool }: TestDatabase) => openPool()],
] as const;

test.each(WAYS)("a job that failed and then succeeded %s has both times and no error", async (_, connect) => {
  const database = await createTestDatabase();
  const connection = connect(database);
  const row = async () =>
    (
      await database.db.execute(
        sql`select job, succeeded_at is not null as succeeded, failed_at is not null as failed, last_error from job_heartbeats`,
      )
    ).rows;
  await recordFailure(connection, "books", "the books are away");
  expect(await row()).toEqual([{ job: "books", succeeded: false, failed: true, last_error: "the books are away" }]);
  await beat(connection, "books");
  expect(await row()).toEqual([{ job: "books", succeeded: true, failed: true, last_error: null }]);
  await recordFailure(connection, "books", "again");
  expect(await row()).toEqual([{ job: "books", succeeded: true, failed: true, last_error: "again" }]);
});

test("of a long error the end is kept, where the reason stands", async () => {
  const { db } = await createTestDatabase();
  await recordFailure(db, "books", `${"x".repeat(600)} because`);
  const { rows } = await db.execute(
    sql`select length(last_error) as length, last_error like '%x because' as has_reason from job_heartbeats`,
  );
  expect(rows).toEqual([{ length: 500, has_reason: true }]);
});
