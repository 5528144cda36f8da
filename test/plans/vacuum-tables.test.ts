import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createTestDatabase } from "../support/database/database.ts";
import { vacuumTables } from "../support/database/vacuum-tables.ts";

test("all pages of filled tables are all-visible after a vacuum, although an older snapshot was open at its begin", async () => {
  const { db, openPool } = await createTestDatabase();
  const session = await openPool().connect();
  await session.query("begin isolation level repeatable read; select");
  await db.execute(sql`insert into traders (address) select 'wallet-' || n from generate_series(1, 5000) n`);
  const visible = async () => {
    const { rows } = await db.execute(sql`select relallvisible, relpages from pg_class where relname = 'traders'`);
    return rows[0];
  };
  const vacuumed = vacuumTables(db);
  // The first vacuum has ended when its statistics say how many pages there are.
  await expect.poll(async () => Number((await visible())?.["relpages"]), { timeout: 10_000 }).toBeGreaterThan(0);
  expect(await visible()).toMatchObject({ relallvisible: 0 });
  await session.query("commit");
  session.release();
  await vacuumed;
  const { relallvisible, relpages } = (await visible()) ?? {};
  expect(relallvisible).toBe(relpages);
});
