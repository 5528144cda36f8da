import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

/** URL of the embedded database of a started product. */
export function productDatabaseUrl(dataDir: string): string {
  // The fourth line of the server's lock file is its port.
  const port = readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[3];
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

/** Runs one statement in the embedded database of a started product. It rejects while Postgres restarts. */
export const queryProductDatabase = async (dataDir: string, statement: string) =>
  queryDatabase(productDatabaseUrl(dataDir), statement);

export async function queryDatabase(databaseUrl: string, statement: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
