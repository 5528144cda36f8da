import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { inTransaction } from "../../../src/db/client.ts";
import { describeError } from "../../../src/platform/log/console-log.ts";
import { createTestDatabase } from "../../support/database/database.ts";

test("a parameter that Postgres cannot cast does not reach the log", async () => {
  const { db, openPool } = await createTestDatabase();
  const statement = sql`select ${"hunter2"}::bigint`;
  const failures = await Promise.allSettled([
    db.execute(statement),
    inTransaction(openPool(), (session) => session.execute(statement)),
  ]);
  for (const failure of failures) {
    if (failure.status === "fulfilled") throw new Error("the statement succeeded");
    const described = describeError(failure.reason);
    expect(described).toContain("ERROR 22P02: invalid input syntax for type bigint");
    expect(described).not.toContain("hunter2");
  }
});
