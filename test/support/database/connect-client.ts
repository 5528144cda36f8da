import pg from "pg";
import { onTestFinished } from "vitest";

/** A connection over TCP that ends with the test. Postgres may end it earlier. */
export async function connectClient(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => undefined);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
}
