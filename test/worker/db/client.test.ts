import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { inTransaction } from "../../../src/db/client.ts";
import { createTestDatabase } from "../../support/database/database.ts";

test("a statement over HTTP and a transaction over a session use the same database", async () => {
  const { db, openPool } = await createTestDatabase();
  await inTransaction(openPool(), (session) => session.execute(sql`insert into traders (address) values ('0xab')`));
  const { rows } = await db.execute(sql`select address from traders`);
  expect(rows).toEqual([{ address: "0xab" }]);
});

test("a transaction that throws leaves no rows, and its session can be used again", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const failing = inTransaction(pool, async (session) => {
    await session.execute(sql`insert into traders (address) values ('0xcd')`);
    throw new Error("stop");
  });
  await expect(failing).rejects.toThrow("stop");
  await inTransaction(pool, (session) => session.execute(sql`insert into traders (address) values ('0xef')`));
  const { rows } = await db.execute(sql`select address from traders`);
  expect(rows).toEqual([{ address: "0xef" }]);
});
