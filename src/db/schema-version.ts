import { sql } from "drizzle-orm";
import { bigint, pgSchema } from "drizzle-orm/pg-core";
import { z } from "zod";
import journal from "../../migrations/meta/_journal.json" with { type: "json" };
import type { Log } from "../platform/log/log.ts";
import type { Connection } from "./client.ts";
import { selectRow } from "./sql.ts";

/** The journal of applied migrations. The migrator creates it, so it is not part of the schema. */
const appliedMigrations = pgSchema("drizzle").table("__drizzle_migrations", {
  createdAtMs: bigint("created_at", { mode: "number" }).notNull(),
});

/**
 * The time of the newest migration of this build in milliseconds, by which the migrator orders migrations.
 */
const NEEDED = Math.max(...journal.entries.map(({ when }) => when));

/** The database lacks a migration that this build needs. */
export class SchemaOutdated extends Error {
  constructor(storedMs: number | null) {
    super(`the database lacks migrations: its newest is ${storedMs ?? "none"}, this build needs ${NEEDED}`);
    this.name = "SchemaOutdated";
  }
}

/**
 * SQL: whether the database has every migration that this build needs. A newer schema serves older builds
 * too.
 */
export const isSchemaCurrent = sql`(select coalesce(max(${appliedMigrations.createdAtMs}), 0) >= ${NEEDED}::bigint
  from ${appliedMigrations})`;

/**
 * Databases that this isolate has found current. A schema never becomes older, so they are not read again.
 */
const current = new Set<string>();

/**
 * Called before background work writes. One or two statements, and none once the schema was found current.
 *
 * @throws SchemaOutdated when the database lacks a migration of this build; it is logged as `schema.outdated`
 */
export async function requireCurrentSchema(databaseUrl: string, connection: Connection, log: Log): Promise<void> {
  if (current.has(databaseUrl)) return;
  const storedMs = await findNewestMigration(connection);
  if (storedMs !== null && storedMs >= NEEDED) {
    current.add(databaseUrl);
    return;
  }
  log.error("schema.outdated", { stored_ms: storedMs, needed_ms: NEEDED });
  throw new SchemaOutdated(storedMs);
}

/** @returns the time of the newest applied migration in milliseconds; null when none was ever applied */
async function findNewestMigration(connection: Connection): Promise<number | null> {
  const table = await selectRow(
    connection,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
    z.object({ exists: z.boolean() }),
  );
  if (table?.exists !== true) return null;
  const row = await selectRow(
    connection,
    sql`select max(${appliedMigrations.createdAtMs})::float8 as newest from ${appliedMigrations}`,
    z.object({ newest: z.number().nullable() }),
  );
  return row?.newest ?? null;
}
