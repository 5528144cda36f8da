import type { Client } from "pg";
import { readMarkers } from "./migration-markers.ts";

/**
 * A migration as drizzle reads it: its statements, their hash and the time of the journal in milliseconds.
 */
export interface Migration {
  readonly sql: readonly string[];
  readonly hash: string;
  readonly folderMillis: number;
}

/** A statement with CONCURRENTLY waits for open transactions, but blocks no reads and no writes meanwhile. */
const CONCURRENT_LOCK_TIMEOUT_MS = 600_000;

const RECORD = "insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)";

/**
 * Runs one migration and records it. It is one transaction, unless the migration is marked
 * `-- no-transaction`: then the statements run one by one, and a repeated run starts again at the first.
 * `migration-lint` refuses statements that cannot be repeated.
 */
export async function runMigration(client: Client, migration: Migration, lockTimeoutMs: number): Promise<void> {
  await client.query(`set lock_timeout = ${lockTimeoutMs}`);
  if (readMarkers(migration.sql[0] ?? "").withoutTransaction) await runStatements(client, migration, lockTimeoutMs);
  else await runTransaction(client, migration);
}

async function runTransaction(client: Client, { sql, hash, folderMillis }: Migration): Promise<void> {
  await client.query("begin");
  try {
    for (const statement of sql) await client.query(statement);
    await client.query(RECORD, [hash, folderMillis]);
    await client.query("commit");
  } catch (error) {
    // A lost connection has already rolled back.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

async function runStatements(
  client: Client,
  { sql, hash, folderMillis }: Migration,
  lockTimeoutMs: number,
): Promise<void> {
  for (const statement of sql) {
    const isConcurrent = /\bconcurrently\b/i.test(statement);
    await client.query(`set lock_timeout = ${isConcurrent ? CONCURRENT_LOCK_TIMEOUT_MS : lockTimeoutMs}`);
    await dropInvalidIndex(client, statement);
    await client.query(statement);
  }
  await client.query(`set lock_timeout = ${lockTimeoutMs}`);
  await client.query(RECORD, [hash, folderMillis]);
}

const CREATE_INDEX = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+"?(\w+)"?/im;

/** An interrupted CREATE INDEX CONCURRENTLY leaves an invalid index, which IF NOT EXISTS would keep. */
async function dropInvalidIndex(client: Client, statement: string): Promise<void> {
  const name = CREATE_INDEX.exec(statement)?.[1];
  if (name === undefined) return;
  const { rowCount } = await client.query(
    "select from pg_index where indexrelid = to_regclass(quote_ident($1)) and not indisvalid",
    [name],
  );
  if (rowCount !== 0) await client.query(`drop index concurrently if exists "${name}"`);
}
