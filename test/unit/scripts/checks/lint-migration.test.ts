import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { lintMigration } from "../../../../scripts/checks/lint-migration.ts";
import { lintMigrations } from "../../../../scripts/checks/lint-migrations.ts";

const ALONE = "-- no-transaction\n";
const CONTRACT = "-- contract: 2.3.0\n";
const BREAK = "--> statement-breakpoint\n";
const NOT_NULL = `alter table t add constraint t_c_not_null check (c is not null) not valid;`;

describe("a refused migration", () => {
  test.each([
    ["an index of an existing table", "create index i on t (c);", "add CONCURRENTLY"],
    ["a unique index of an existing table", "create unique index i on t (c);", "add CONCURRENTLY"],
    ["a dropped index", "drop index i;", "add CONCURRENTLY"],
    ["CONCURRENTLY in a transaction", "create index concurrently if not exists i on t (c);", "-- no-transaction"],
    ["a marker after the first statement", `select 1;\n${ALONE}drop index concurrently i;`, "-- no-transaction"],
    ["a NOT NULL column without a default", "alter table t add column c int not null;", "NOT NULL column"],
    ["a default of a function", "alter table t add column c uuid default gen_random_uuid();", "volatile default"],
    ["a nested function", "alter table t add column c text default 'x' || random()::text;", "volatile default"],
    ["a default of the wall clock", "alter table t add c timestamptz default clock_timestamp();", "volatile default"],
    ["a serial column", "alter table t add column c bigserial;", "volatile default"],
    ["an identity column", "alter table t add c bigint generated always as identity;", "volatile default"],
    ["a stored column", "alter table t add c int generated always as (a + 1) stored;", "volatile default"],
    ["a new column with UNIQUE", "alter table t add column c int unique;", "constraint of a new column"],
    ["a new column with REFERENCES", "alter table t add column c int references s;", "constraint of a new column"],
    ["a new column with CHECK", "alter table t add column c int check (c > 0);", "constraint of a new column"],
    ["SET NOT NULL", "alter table t alter column c set not null;", "t_c_not_null"],
    [
      "SET NOT NULL after another table's check",
      "alter table s validate constraint t_c_not_null; alter table t alter c set not null;",
      "t_c_not_null",
    ],
    ["a new type of a column", "alter table t alter column c type bigint;", "new type"],
    ["a check of existing rows", "alter table t add constraint k check (c > 0);", "NOT VALID"],
    ["a foreign key of existing rows", "alter table t add constraint k foreign key (c) references s;", "NOT VALID"],
    ["a unique constraint", "alter table t add constraint k unique (c);", "USING INDEX"],
    ["a primary key", "alter table t add primary key (c);", "USING INDEX"],
    [
      "a constraint validated where it is added",
      `${NOT_NULL}${BREAK}alter table t validate constraint t_c_not_null;`,
      "next migration",
    ],
    ["a dropped column", "alter table t drop column c;", "-- contract: RELEASE"],
    ["a dropped table", "drop table t;", "-- contract: RELEASE"],
    ["a dropped type", "drop type t;", "-- contract: RELEASE"],
    ["an emptied table", "truncate t;", "-- contract: RELEASE"],
    ["a contract without a release", "-- contract:\ndrop table t;", "-- contract: RELEASE"],
    ["a renamed column", "alter table t rename column c to d;", "rename"],
    ["a renamed table", "alter table t rename to s;", "rename"],
    ["a table in another schema", "alter table t set schema s;", "rename"],
    ["a DO block", "do $$ begin drop table t; end $$;", "DO hides"],
    ["an index that may exist", `${ALONE}create index concurrently i on t (c);`, "repeatable"],
    ["a column that may exist", `${ALONE}alter table t add column c int;`, "repeatable"],
    ["a row that may exist", `${ALONE}insert into t values (1);`, "repeatable"],
    ["a function without a transaction", `${ALONE}select f();`, "repeatable"],
    ["two statements at once", `${ALONE}delete from t; delete from s;`, "separate the statements"],
  ])("%s is refused", async (_, text, reason) => {
    expect(await lintMigration(text)).toEqual([expect.stringContaining(reason)]);
  });
});

describe("an accepted migration", () => {
  test.each([
    ["an index of a new table", "create table t (c int); create index i on t (c);"],
    ["anything of a new table", "create table t (c int); alter table t add constraint k check (c > 0);"],
    ["a required column of a new table", "create table t (c int); alter table t add d int not null;"],
    ["a concurrent index", `${ALONE}create index concurrently if not exists i on t (c);`],
    ["a concurrently dropped index", `${ALONE}drop index concurrently if exists i;`],
    ["a nullable column", "alter table t add column c int;"],
    ["a column with a constant default", "alter table t add column c int not null default 0;"],
    ["a column with the time of the statement", "alter table t add c timestamptz not null default now();"],
    ["a virtual column", "alter table t add c int generated always as (a + 1) virtual;"],
    ["a constraint that is not validated", NOT_NULL],
    ["a validated constraint", "alter table t validate constraint k;"],
    [
      "SET NOT NULL after a validated check",
      "alter table t validate constraint t_c_not_null; alter table t alter c set not null;",
    ],
    ["a constraint on a finished index", "alter table t add constraint k unique using index i;"],
    ["a contract of columns", `${CONTRACT}alter table t drop column c;`],
    ["a contract of tables", `${CONTRACT}drop table t;`],
    ["both markers", `${ALONE}${CONTRACT}drop table if exists t;`],
    ["a repeatable column", `${ALONE}alter table t add column if not exists c int;`],
    ["repeatable rows", `${ALONE}insert into t values (1) on conflict do nothing;${BREAK}update t set c = 1;`],
  ])("%s is accepted", async (_, text) => {
    expect(await lintMigration(text)).toEqual([]);
  });

  test("text that Postgres cannot parse is an error", async () => {
    await expect(lintMigration("create tabel t (c int);")).rejects.toThrow("syntax error");
  });
});

test("a migration that is older than the one before it is refused, and findings name their migration", async () => {
  const folder = mkdtempSync(join(tmpdir(), "migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "meta"));
  const write = (...whens: number[]) => {
    const entries = whens.map((when, idx) => ({ idx, when, tag: `m${idx}` }));
    writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ entries }));
  };
  writeFileSync(join(folder, "m0.sql"), "create table t (c int);");
  writeFileSync(join(folder, "m1.sql"), "drop table t;");
  write(2, 1);
  const { ok, output } = await lintMigrations(folder);
  expect(ok).toBe(false);
  expect(output.split("\n")).toEqual([
    expect.stringMatching(/^m1: older than the migration before it/),
    expect.stringMatching(/^m1: .*-- contract: RELEASE/),
    "",
  ]);
  writeFileSync(join(folder, "m1.sql"), "alter table t add d int;");
  write(1, 2);
  expect(await lintMigrations(folder)).toEqual({ ok: true, output: "" });
});
