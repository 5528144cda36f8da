import { sql } from "drizzle-orm";
import type { Database } from "../../../src/db/client.ts";

const ROUNDS = 300;

/**
 * Vacuums and analyzes all tables until every page is all-visible, so that the planner can choose index-only
 * scans. One vacuum is not enough: a page becomes all-visible only after its commit is on disk, which happens
 * up to 0.6 s later, and only when no other session of the database has an older snapshot.
 *
 * @throws after about 15 s, with the tables that still have other pages
 */
export async function vacuumTables(db: Database): Promise<void> {
  await db.execute(sql`vacuum analyze`);
  for (let round = 1; ; round++) {
    const tables = await listNotAllVisible(db);
    if (tables.length === 0) return;
    if (round > ROUNDS) throw new Error(`Pages that are not all-visible after ${ROUNDS} vacuums: ${tables.join(", ")}`);
    await db.execute(sql`select pg_sleep(0.05)`);
    await db.execute(
      sql`vacuum ${sql.join(
        tables.map((table) => sql.identifier(table)),
        sql`, `,
      )}`,
    );
  }
}

async function listNotAllVisible(db: Database): Promise<string[]> {
  const { rows } = await db.execute(
    sql`select relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relallvisible < relpages order by relname`,
  );
  return rows.map((row) => String(row["relname"]));
}
