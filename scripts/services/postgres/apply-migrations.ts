import { readMigrationFiles } from "drizzle-orm/migrator";
import pg from "pg";
import { runMigration } from "./run-migration.ts";

const MIGRATIONS = new URL("../../../migrations", import.meta.url).pathname;

// Key of the Postgres advisory lock; any number unique to this purpose.
const MIGRATION_LOCK = 7_231_846_502;

/** Postgres gave up waiting for a lock: `lock_not_available`, `deadlock_detected`. */
const LOCKED = new Set(["55P03", "40P01"]);

export interface MigrationOptions {
  /** The folder with the SQL files and `meta/_journal.json`. */
  readonly folder?: string;
  /**
   * A migration that waits longer for a table gives up: behind it every statement on the table would wait
   * too.
   */
  readonly lockTimeoutMs?: number;
  /** How often a migration that gave up is tried. */
  readonly attempts?: number;
  /** Pause between two attempts, and between two looks at the lock of another run. */
  readonly pauseMs?: number;
  /** Longest wait for another run to end. */
  readonly otherRunMs?: number;
}

/**
 * Migrates a database to the newest schema. Repeating it changes nothing. Concurrent runs wait for each
 * other.
 *
 * @throws when the URL names a connection pool, when another run does not end, when a table stays locked, or
 * with the error of a statement
 */
export async function applyMigrations(databaseUrl: string, options: MigrationOptions = {}): Promise<void> {
  const { folder = MIGRATIONS, lockTimeoutMs = 5_000, attempts = 5, pauseMs = 2_000, otherRunMs = 1_800_000 } = options;
  // Statements of one client run in different sessions there, so neither locks nor settings would last.
  if (new URL(databaseUrl).hostname.split(".")[0]?.endsWith("-pooler") === true)
    throw new Error("Migrations need a direct connection: remove -pooler from the host name.");
  const client = new pg.Client({ connectionString: databaseUrl });
  // The statement that meets a lost connection reports it. Without a listener the event would end the
  // process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await lockOutOtherRuns(client, pauseMs, otherRunMs);
    for (let attempt = 1; ; attempt++) {
      try {
        return await applyPending(client, folder, lockTimeoutMs);
      } catch (error) {
        if (attempt >= attempts || !isLocked(error)) throw error;
        await pause(pauseMs);
      }
    }
  } finally {
    await client.end();
  }
}

/** Runs what is newer than the newest recorded migration, in drizzle's own journal table. */
async function applyPending(client: pg.Client, folder: string, lockTimeoutMs: number): Promise<void> {
  await client.query(`set lock_timeout = ${lockTimeoutMs}`);
  await client.query("create schema if not exists drizzle");
  await client.query(
    "create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)",
  );
  const { rows } = await client.query("select max(created_at) as newest from drizzle.__drizzle_migrations");
  const newest = Number(rows[0]?.newest ?? 0);
  for (const migration of readMigrationFiles({ migrationsFolder: folder }))
    if (migration.folderMillis > newest) await runMigration(client, migration, lockTimeoutMs);
}

/**
 * Takes the advisory lock of this session. It polls: a statement that waits for the lock would have a
 * snapshot, and CREATE INDEX CONCURRENTLY of the other run would wait for that snapshot.
 */
async function lockOutOtherRuns(client: pg.Client, pauseMs: number, longestMs: number): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as locked", [MIGRATION_LOCK]);
    if (rows[0]?.locked === true) return;
    if (waitedMs >= longestMs) throw new Error("Another run migrates this database and does not end.");
    await pause(pauseMs);
  }
}

const isLocked = (error: unknown): boolean => error instanceof pg.DatabaseError && LOCKED.has(error.code ?? "");

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
