import { sql } from "drizzle-orm";
import type { Pool } from "@neondatabase/serverless";
import { inject, onTestFinished } from "vitest";
import { openDatabase, openPool, type Database } from "../../../src/db/client.ts";

export interface TestDatabase {
  readonly databaseUrl: string;
  readonly db: Database;
  /** A pool that ends with the test that opened it, or when `atEnd` runs its callback. */
  openPool(atEnd?: (end: () => Promise<void>) => void): Pool;
}

const created: string[] = [];

/** Drops the databases that this file's tests created: a full run creates gigabytes. */
export async function dropTestDatabases(): Promise<void> {
  const { postgresUrl, neonHttpEndpoint, neonSocketProxy } = inject("services");
  const admin = openDatabase({ databaseUrl: postgresUrl, neonHttpEndpoint, neonSocketProxy });
  for (const name of created.splice(0)) await admin.execute(sql.raw(`drop database ${name} with (force)`));
}

/** A freshly migrated database for one test file. Works in Node and inside workerd. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { postgresUrl, templateDatabase, neonHttpEndpoint, neonSocketProxy } = inject("services");
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  const admin = openDatabase({ databaseUrl: postgresUrl, neonHttpEndpoint, neonSocketProxy });
  // Copying files takes a fifth of the time of writing them to the log.
  await admin.execute(sql.raw(`create database ${name} template ${templateDatabase} strategy file_copy`));
  created.push(name);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  const connection = { databaseUrl: url.href, neonHttpEndpoint, neonSocketProxy };
  return {
    databaseUrl: url.href,
    db: openDatabase(connection),
    openPool(atEnd = onTestFinished) {
      const pool = openPool(connection);
      atEnd(() => pool.end());
      return pool;
    },
  };
}

/** The same with an open pool, for tests that have a database each. */
export async function openTestDatabase(): Promise<{ readonly db: Database; readonly pool: Pool }> {
  const database = await createTestDatabase();
  return { db: database.db, pool: database.openPool() };
}
