import pg from "pg";
import { z } from "zod";
import { sql } from "drizzle-orm";
import type { Session } from "../../src/db/client.ts";
import { markets, outcomes } from "../../src/db/schema.ts";
import { run } from "../../src/db/sql.ts";
import { lockLedger } from "../../src/ingest/ledger/record-ledger-entries.ts";
import type { Client } from "../services/postgres/session-over-tcp.ts";
import { LoadError } from "./load-error.ts";

/*
 * The state of a load is in a Postgres schema of its own, which the product does not know. A range of traders is folded in one
 * transaction with its end, so a load that ends anywhere reads its files again and continues there.
 */

/** Key of the Postgres advisory lock; any number unique to this purpose. One load at a time. */
const LOAD_LOCK = 7_201_445;

const SCHEMA = `
  create schema if not exists bulk_load;
  -- Of earlier versions, which staged fills in Postgres.
  drop table if exists bulk_load.fills;
  create table if not exists bulk_load.files (
    sha256 text primary key,
    name text not null,
    number int not null unique,
    form text not null,
    fills bigint not null,
    unreadable bigint not null,
    newest_ms bigint,
    has_roles boolean not null,
    staged_at timestamptz not null default now(),
    loaded_at timestamptz
  );
  create table if not exists bulk_load.progress (
    only_row boolean primary key default true check (only_row),
    -- The last trader whose staged fills are in the ledger; -1 before the first.
    folded_up_to bigint not null
  );`;

/** @throws LoadError while another load runs on this database */
export async function openLoad(client: Client): Promise<void> {
  const { rows } = await client.query<{ ok: boolean }>(`select pg_try_advisory_lock(${LOAD_LOCK}) as ok`);
  if (rows[0]?.ok !== true) throw new LoadError("Another load runs on this database.");
  await client.query(SCHEMA);
}

export async function closeLoad(client: Client): Promise<void> {
  await client.query(`select pg_advisory_unlock(${LOAD_LOCK})`);
}

const StoredFile = z.object({ sha256: z.string(), name: z.string(), is_loaded: z.boolean() });

/** The files of an interrupted load and those that are loaded, by the SHA-256 of their content. */
export async function listFiles(client: Client): Promise<Map<string, z.output<typeof StoredFile>>> {
  const { rows } = await client.query(`select sha256, name, loaded_at is not null as is_loaded from bulk_load.files`);
  return new Map(
    z
      .array(StoredFile)
      .parse(rows)
      .map((row) => [row.sha256, row]),
  );
}

const Staged = z.object({
  files: z.number(),
  fills: z.coerce.number(),
  newest_ms: z.coerce.number().nullable(),
  has_roles: z.boolean(),
});

/** What is recorded and not loaded yet. */
export async function readStaged(client: Client): Promise<z.output<typeof Staged>> {
  const { rows } = await client.query(
    `select count(*)::int as files, coalesce(sum(fills), 0) as fills, max(newest_ms) as newest_ms,
       coalesce(bool_and(has_roles), false) as has_roles
     from bulk_load.files where loaded_at is null`,
  );
  return Staged.parse(rows[0]);
}

export async function inLoadTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/** `lock_not_available` and `insufficient_privilege` */
const REFUSED = new Set(["55P03", "42501"]);

/** Undoes the work and returns null if it gets no lock or lacks a privilege. */
export async function inSavepoint<T>(client: Client, work: () => Promise<T>): Promise<T | null> {
  await client.query("savepoint load");
  try {
    const result = await work();
    await client.query("release savepoint load");
    return result;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !REFUSED.has(error.code ?? "")) throw error;
    await client.query("rollback to savepoint load");
    return null;
  }
}

/**
 * The locks of a transaction of the load, before its first write: the ledger lock, and the tables whose rows it locks in the
 * order of traders instead of that of src/ingest/ledger/row-locks.ts. Writers of market objects and books wait for its end;
 * reads do not.
 */
export async function lockLoadedTables(session: Session): Promise<void> {
  await lockLedger(session);
  await run(session, sql`lock table ${markets}, ${outcomes} in exclusive mode`);
}
