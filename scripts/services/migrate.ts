import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";

const migrations = new URL("../../migrations", import.meta.url).pathname;

/** Brings a database to the newest schema. Applying it again changes nothing. */
export async function applyMigrations(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await migrate(drizzle(client), { migrationsFolder: migrations });
  } finally {
    await client.end();
  }
}
