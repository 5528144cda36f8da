import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { sessionOf } from "../../../src/db/client.ts";
import { recordHeartbeat, recordJobFailure } from "../../../src/db/heartbeats.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";

const TRANSPORTS = [
  ["over HTTP", ({ db }: TestDatabase) => db],
  ["over a session", ({ openPool }: TestDatabase) => sessionOf(openPool())],
] as const;

test.each(TRANSPORTS)("a job that fails and then succeeds %s has both times and no error", async (_, connect) => {
  const database = await createTestDatabase();
  const connection = connect(database);
  const row = async () =>
    (
      await database.db.execute(
        sql`select job, succeeded_at is not null as succeeded, failed_at is not null as failed, last_error from job_heartbeats`,
      )
    ).rows;
  await recordJobFailure(connection, "refresh_books", "the books are away");
  expect(await row()).toEqual([
    { job: "refresh_books", succeeded: false, failed: true, last_error: "the books are away" },
  ]);
  await recordHeartbeat(connection, "refresh_books");
  expect(await row()).toEqual([{ job: "refresh_books", succeeded: true, failed: true, last_error: null }]);
  await recordJobFailure(connection, "refresh_books", "again");
  expect(await row()).toEqual([{ job: "refresh_books", succeeded: true, failed: true, last_error: "again" }]);
});

test("the end of a long error message is stored, because it contains the reason", async () => {
  const { db } = await createTestDatabase();
  await recordJobFailure(db, "refresh_books", `${"x".repeat(600)} because`);
  const { rows } = await db.execute(
    sql`select length(last_error) as length, last_error like '%x because' as has_reason from job_heartbeats`,
  );
  expect(rows).toEqual([{ length: 500, has_reason: true }]);
});
