import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "@neondatabase/serverless";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { freePort } from "../../../scripts/services/free-port.ts";
import { applyMigrations } from "../../../scripts/services/postgres/apply-migrations.ts";
import { startPostgres } from "../../../scripts/services/postgres/postgres.ts";
import type { Database } from "../../../src/db/client.ts";

/**
 * A migrated database over TCP. Readers and writers of the outbox use only what this driver and Neon's driver
 * have in common.
 */
export interface TcpDatabase {
  readonly name: string;
  readonly db: Database;
  /** A pool of separate sessions. */
  openPool(size: number): Pool;
  /** Ends its sessions. */
  close(): Promise<void>;
}

/**
 * A separate cluster: an open transaction holds back the horizon of all databases of a cluster, and no other
 * test waits for these.
 */
export interface OwnPostgres {
  createDatabase(): Promise<TcpDatabase>;
  /** Copies the database in its current state; it must have no session. @returns the copy */
  copyDatabase(name: string): Promise<TcpDatabase>;
  stop(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), "test-postgres-"));
  const postgres = await startPostgres({ dataDir, port: await freePort(), durable: false, log: () => undefined });
  const open: TcpDatabase[] = [];
  const administer = async (statement: string, values: string[] = []) => {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    return client.query(statement, values).finally(() => client.end());
  };
  const urlOf = (name: string) => Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;
  const openNamed = (name: string): TcpDatabase => {
    const reads = new pg.Pool({ connectionString: urlOf(name), max: 4 });
    const pools = [reads];
    const database: TcpDatabase = {
      name,
      // Readers only call `execute`, which returns rows of the same form for both drivers.
      db: drizzle(reads) as unknown as Database,
      openPool(size) {
        const pool = new pg.Pool({ connectionString: urlOf(name), max: size });
        pools.push(pool);
        return pool as unknown as Pool;
      },
      async close() {
        await Promise.all(pools.splice(0).map((pool) => pool.end()));
        // A pool ends before its sessions do. A session that is still open when the server stops would raise
        // an error.
        while ((await administer("select from pg_stat_activity where datname = $1", [name])).rowCount !== 0)
          await sleep(10);
      },
    };
    open.push(database);
    return database;
  };
  const create = async (template: string | null) => {
    const name = `fire_${crypto.randomUUID().replaceAll("-", "")}`;
    await administer(`create database ${name}${template === null ? "" : ` template ${template}`}`);
    return name;
  };
  return {
    async createDatabase() {
      const name = await create(null);
      await applyMigrations(urlOf(name));
      return openNamed(name);
    },
    copyDatabase: async (name) => openNamed(await create(name)),
    async stop() {
      for (const database of open) await database.close();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
