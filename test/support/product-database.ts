import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

/** The embedded database of a started product. */
export function productDatabaseUrl(dataDir: string): string {
  // The fourth line of the server's lock file is its port.
  const port = readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[3];
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

/** Asks the embedded database of a started product one thing. */
export const askProductDatabase = (dataDir: string, statement: string) => askDatabase(productDatabaseUrl(dataDir), statement);

export async function askDatabase(databaseUrl: string, statement: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
