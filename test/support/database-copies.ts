import pg from "pg";
import { inject } from "vitest";

/** A database of its own that can be copied: what took long to make is made once, and spoiled as often as one likes. */
export interface DatabaseCopy {
  readonly url: string;
  /** Another one with the same content. Nobody may have a session on this one meanwhile. */
  copy(): Promise<DatabaseCopy>;
  drop(): Promise<void>;
}

/** A freshly migrated one. Node only. */
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
