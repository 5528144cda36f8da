import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { inTransaction } from "../../../src/db/client.ts";
import { createTestDatabase } from "../../support/database.ts";

test("a statement over HTTP and a transaction over a session see the same database", async () => {
  const { db, openPool } = await createTestDatabase();
  await inTransaction(openPool(), (session) => session.query("insert into traders (address) values ($1)", ["0xab"]));
  const { rows } = await db.execute(sql`select address from traders`);
  expect(rows).toEqual([{ address: "0xab" }]);
});

test("a transaction that throws leaves nothing behind and its session goes on", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const failing = inTransaction(pool, async (session) => {
    await session.query("insert into traders (address) values ('0xcd')");
    throw new Error("stop");
  });
  await expect(failing).rejects.toThrow("stop");
  await inTransaction(pool, (session) => session.query("insert into traders (address) values ('0xef')"));
  const { rows } = await db.execute(sql`select address from traders`);
  expect(rows).toEqual([{ address: "0xef" }]);
});
