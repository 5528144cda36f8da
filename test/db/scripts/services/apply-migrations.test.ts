import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { applyMigrations, type MigrationOptions } from "../../../../scripts/services/postgres/apply-migrations.ts";
import { connectClient } from "../../../support/database/connect-client.ts";
import { createTestDatabase } from "../../../support/database/database.ts";

/** Later than every migration of the product. */
const FIRST_WHEN = Date.UTC(2100, 0, 1);
const FAST: MigrationOptions = { lockTimeoutMs: 50, pauseMs: 20 };
const BREAK = "--> statement-breakpoint\n";

const TABLES = "create table a (x int); create table b (x int); insert into a values (1); insert into b values (1)";
const INDEXES = [
  `-- no-transaction\ncreate index concurrently if not exists "a_x" on a (x);`,
  `create index concurrently if not exists "b_x" on b (x);`,
  "alter table b add column if not exists y int;",
].join(BREAK);

/** A folder with these migrations, as drizzle-kit writes it. */
function aFolder(...migrations: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "meta"));
  const entries = migrations.map((text, idx) => {
    writeFileSync(join(folder, `${idx}.sql`), text);
    return { idx, version: "7", when: FIRST_WHEN + idx, tag: String(idx), breakpoints: true };
  });
  writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ version: "7", dialect: "postgresql", entries }));
  return folder;
}

const countApplied = async (client: pg.Client) =>
  (await client.query("select count(*)::int as n from drizzle.__drizzle_migrations")).rows[0]?.n;

/** What the migrations of these tests leave behind. */
async function stateOf(client: pg.Client) {
  const columns = "select attname from pg_attribute where attrelid = 'b'::regclass and attnum > 0 order by attnum";
  const indexes = `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
    where indrelid in ('a'::regclass, 'b'::regclass) order by 1`;
  return {
    columns: (await client.query(columns)).rows.map(({ attname }) => attname),
    indexes: (await client.query(indexes)).rows,
    applied: (await client.query("select hash, created_at from drizzle.__drizzle_migrations order by id")).rows,
  };
}

const COMPLETE = {
  columns: ["x", "y"],
  indexes: [
    { name: "a_x", valid: true },
    { name: "b_x", valid: true },
  ],
};

/** Ends the session that runs the migration while a statement that starts like this waits for a lock. */
async function killWhileWaiting(client: pg.Client, statement: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await client.query(
        `select pg_terminate_backend(pid) as killed from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query ilike $1`,
        [`%${statement}%`],
      );
      expect(rows).toEqual([{ killed: true }]);
    },
    { timeout: 10_000, interval: 20 },
  );
}

test("a migration that waits too long for a table gives up and changes nothing", async () => {
  const { databaseUrl } = await createTestDatabase();
  const holder = await connectClient(databaseUrl);
  const before = await countApplied(holder);
  expect(before).toBeGreaterThan(0);
  await applyMigrations(databaseUrl);
  expect(await countApplied(holder)).toBe(before);

  await holder.query("begin; lock table drizzle.__drizzle_migrations in access exclusive mode");
  await expect(applyMigrations(databaseUrl, { ...FAST, attempts: 2 })).rejects.toThrow("lock timeout");
  await holder.query("rollback");
  expect(await countApplied(holder)).toBe(before);
});

test("a migration of a blocked table is rolled back and tried again until the table is free", async () => {
  const { databaseUrl } = await createTestDatabase();
  const holder = await connectClient(databaseUrl);
  await holder.query(TABLES);
  await holder.query("begin; lock table b in access share mode");
  const folder = aFolder(["alter table a add column y int;", "alter table b add column y int;"].join(BREAK));
  await expect(applyMigrations(databaseUrl, { ...FAST, folder, attempts: 2 })).rejects.toThrow("lock timeout");
  expect((await holder.query("select * from a")).fields.map(({ name }) => name)).toEqual(["x"]);

  const migrated = applyMigrations(databaseUrl, { ...FAST, folder, attempts: 1_000 });
  await new Promise((resolve) => setTimeout(resolve, 100));
  await holder.query("commit");
  await migrated;
  expect((await holder.query("select * from b")).fields.map(({ name }) => name)).toEqual(["x", "y"]);
});

test("a migration without a transaction that is killed between statements completes when it is run again", async () => {
  const folder = aFolder(INDEXES);
  const [killed, whole] = [await createTestDatabase(), await createTestDatabase()];
  const [client, other] = [await connectClient(killed.databaseUrl), await connectClient(whole.databaseUrl)];
  for (const one of [client, other]) await one.query(TABLES);
  await applyMigrations(whole.databaseUrl, { folder });

  const holder = await connectClient(killed.databaseUrl);
  await holder.query("begin; lock table b in access exclusive mode");
  await Promise.all([
    expect(applyMigrations(killed.databaseUrl, { folder })).rejects.toThrow("terminating connection"),
    killWhileWaiting(client, '"b_x"'),
  ]);
  await holder.query("rollback");
  expect(await stateOf(client)).toMatchObject({ columns: ["x"], indexes: [{ name: "a_x", valid: true }] });

  await applyMigrations(killed.databaseUrl, { folder });
  expect(await stateOf(client)).toEqual(await stateOf(other));
  expect(await stateOf(client)).toMatchObject(COMPLETE);
});

test("an index that was killed while it was built is invalid, and is built again", async () => {
  const folder = aFolder(INDEXES);
  const { databaseUrl } = await createTestDatabase();
  const [client, writer] = [await connectClient(databaseUrl), await connectClient(databaseUrl)];
  await client.query(TABLES);
  // The build waits for a transaction that has written the table.
  await writer.query("begin; insert into b values (2)");
  await Promise.all([
    expect(applyMigrations(databaseUrl, { folder })).rejects.toThrow("terminating connection"),
    killWhileWaiting(client, '"b_x"'),
  ]);
  await writer.query("commit");
  expect(await stateOf(client)).toMatchObject({
    indexes: [
      { name: "a_x", valid: true },
      { name: "b_x", valid: false },
    ],
  });

  await applyMigrations(databaseUrl, { folder });
  expect(await stateOf(client)).toMatchObject(COMPLETE);
});

test("concurrent runs migrate one after the other, each migration once", async () => {
  const { databaseUrl } = await createTestDatabase();
  const client = await connectClient(databaseUrl);
  const before = await countApplied(client);
  const folder = aFolder(TABLES, INDEXES, "insert into a values (2);");
  await Promise.all([1, 2, 3].map(() => applyMigrations(databaseUrl, { ...FAST, folder })));
  expect(await stateOf(client)).toMatchObject(COMPLETE);
  expect(await countApplied(client)).toBe(before + 3);
  expect((await client.query("select x from a order by x")).rows).toEqual([{ x: 1 }, { x: 2 }]);
});

test("a run gives up when another run does not end", async () => {
  const { databaseUrl } = await createTestDatabase();
  const client = await connectClient(databaseUrl);
  await client.query(TABLES);
  const writer = await connectClient(databaseUrl);
  await writer.query("begin; insert into a values (2)");
  const folder = aFolder(INDEXES);
  const first = applyMigrations(databaseUrl, { ...FAST, folder });
  await vi.waitFor(async () => {
    const { rows } = await client.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(rows).toHaveLength(1);
  });
  await expect(applyMigrations(databaseUrl, { ...FAST, folder, otherRunMs: 60 })).rejects.toThrow("Another run");
  await writer.query("commit");
  await first;
  expect(await stateOf(client)).toMatchObject(COMPLETE);
});

test("a statement that fails ends the run at once and leaves nothing of its migration", async () => {
  const { databaseUrl } = await createTestDatabase();
  const client = await connectClient(databaseUrl);
  const before = await countApplied(client);
  const folder = aFolder(TABLES, ["create table c (x int);", "select 1 / 0;"].join(BREAK));
  await expect(applyMigrations(databaseUrl, { folder })).rejects.toThrow("division by zero");
  expect(await countApplied(client)).toBe(before + 1);
  expect((await client.query("select to_regclass('a') as a, to_regclass('c') as c")).rows).toEqual([
    { a: "a", c: null },
  ]);
});

test("a URL of a connection pool is refused", async () => {
  const url = "postgres://user@ep-cool-name-pooler.eu-central-1.aws.neon.tech/db";
  await expect(applyMigrations(url)).rejects.toThrow("-pooler");
});
