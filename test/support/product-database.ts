import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

/** Asks the embedded database of a started product one thing. */
export async function askProductDatabase(dataDir: string, statement: string): Promise<any[]> {
  // The fourth line of the server's lock file is its port.
  const port = readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[3];
  return askDatabase(`postgres://postgres@127.0.0.1:${port}/postgres`, statement);
}

export async function askDatabase(databaseUrl: string, statement: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
