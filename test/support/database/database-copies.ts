import pg from "pg";
import { inject } from "vitest";

/** A separate database that can be copied: slow content is created once, and tests may change the copies. */
export interface DatabaseCopy {
  readonly url: string;
  /** Another database with the same content. This one must have no session meanwhile. */
  copy(): Promise<DatabaseCopy>;
  drop(): Promise<void>;
}

/** Copies the freshly migrated template. Node only. */
export const createDatabaseCopy = (): Promise<DatabaseCopy> => copyOf(inject("services").templateDatabase);

async function copyOf(template: string): Promise<DatabaseCopy> {
  const name = `copy_${crypto.randomUUID().replaceAll("-", "")}`;
  await administer(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(inject("services").postgresUrl);
  url.pathname = `/${name}`;
  return { url: url.href, copy: () => copyOf(name), drop: () => administer(`drop database ${name} with (force)`) };
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject("services").postgresUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
