import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { applyMigrations } from "../../services/postgres/apply-migrations.ts";

export interface EngineDatabase {
  readonly url: string;
  /**
   * Over TCP instead of a WebSocket. Ingest uses `connect`, `query` and `release` only; both drivers have
   * them, with the same results.
   */
  readonly pool: Pool;
  /** Another session, for statements outside of ingest. */
  readonly client: pg.Client;
  drop(): Promise<void>;
}

/** Creates a migrated database in the benchmark's Postgres. */
export async function createEngineDatabase(databaseUrl: string, name: string): Promise<EngineDatabase> {
  await administer(databaseUrl, `create database ${name}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  await applyMigrations(url.href);
  const pool = new pg.Pool({ connectionString: url.href, max: 1 });
  pool.on("error", () => undefined);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return {
    url: url.href,
    pool: pool as unknown as Pool,
    client,
    async drop() {
      await client.end();
      await pool.end();
      await administer(databaseUrl, `drop database ${name} with (force)`);
    },
  };
}

async function administer(databaseUrl: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query(statement);
  await admin.end();
}
