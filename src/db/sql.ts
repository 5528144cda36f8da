import { getTableColumns, sql, type AnyColumn, type SQL, type SQLWrapper } from "drizzle-orm";
import { alias as renamed, PgDialect, type AnyPgColumn, type AnyPgTable, type PgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import { arrayText, type ArrayElement } from "./array-text.ts";
import type { Connection } from "./client.ts";

/*
 * Statements for both transports. Columns are referenced through tables or their aliases (`${m.title}` with
 * `const m = alias(markets, "m")`), so that a rename fails to compile; `from ${m}` names the table with its
 * alias. Columns of common table expressions are plain text.
 */

/** A table under another name. */
export type Alias<T extends AnyPgTable> = T["_"]["columns"] & SQLWrapper;

/**
 * A table under another name: `from ${m}` renders `"markets" "m"`, and `${m.title}` renders `"m"."title"`. An
 * alias of drizzle renders only its name in a from clause of the sql tag.
 */
export function alias<T extends PgTable>(table: T, name: string): Alias<T> {
  const source = sql`${table} ${sql.identifier(name)}`;
  const columns: T["_"]["columns"] = getTableColumns(renamed(table, name));
  return { ...columns, getSQL: () => source, shouldOmitSQLParens: () => true };
}

/** A table or an alias of it, as far as fragments use it. */
export type Columns<T extends AnyPgTable, K extends keyof T["_"]["columns"] = keyof T["_"]["columns"]> = {
  readonly [P in K]: AnyPgColumn;
};

/**
 * Runs one statement and parses its rows: the driver's values are untyped, and big integers and decimals
 * arrive as text, timestamps as text of the session's time zone.
 */
export async function selectRows<S extends z.ZodType>(
  connection: Connection,
  statement: SQL,
  row: S,
): Promise<z.output<S>[]> {
  const { rows } = await connection.execute(statement);
  return z.array(row).parse(rows);
}

/** The first row of a statement, or null. */
export async function selectRow<S extends z.ZodType>(
  connection: Connection,
  statement: SQL,
  row: S,
): Promise<z.output<S> | null> {
  const { rows } = await connection.execute(statement);
  return rows[0] === undefined ? null : row.parse(rows[0]);
}

/** Runs a statement. @returns how many rows it affected */
export async function run(connection: Connection, statement: SQL): Promise<number> {
  return (await connection.execute(statement)).rowCount ?? 0;
}

/** The text of a statement with `$1` for its first parameter, and the parameters. */
export const renderSql = (statement: SQL): { sql: string; params: unknown[] } => new PgDialect().sqlToQuery(statement);

/** A bigint column: text to bigint. */
export const bigintText = z.string().transform(BigInt);

/** A row id or count: text or number to number. */
export const integer = z.coerce.number().int();

/** An instant as ISO text in UTC. */
export const isoText = (instant: SQL | AnyColumn): SQL =>
  sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** An instant as a parameter. */
export const timestamp = (instant: Date): SQL => sql`${instant.toISOString()}::timestamptz`;

/** An instant in milliseconds since the epoch; arrives as a number. */
export const epochMs = (instant: SQL | AnyColumn): SQL => sql`(extract(epoch from ${instant}) * 1000)::float8`;

export type ArrayType =
  | "bigint"
  | "boolean"
  | "bytea"
  | "date"
  | "float8"
  | "int"
  | "jsonb"
  | "numeric"
  | "smallint"
  | "text"
  | "timestamptz";

/**
 * One array parameter, such as `unnest(${array(ids, "bigint")})`. Plain `${ids}` would become a list of
 * parameters.
 */
export const array = (values: readonly ArrayElement[], type: ArrayType): SQL =>
  sql`${arrayText(values)}::${sql.raw(type)}[]`;

/** The names of columns, as an insert or an update needs them: unqualified, separated by commas. */
export const columnNames = (...columns: readonly AnyColumn[]): SQL =>
  sql.join(
    columns.map((column) => sql.identifier(column.name)),
    sql`, `,
  );

/** Columns as a query needs them: with the name of their table or alias, separated by commas. */
export const qualified = (columns: readonly AnyColumn[]): SQL =>
  sql.join(
    columns.map((column) => sql`${column}`),
    sql`, `,
  );

/** One unqualified column name: the left side of `set`, or a column of `excluded`. */
export const columnName = (column: AnyColumn): SQL => sql`${sql.identifier(column.name)}`;

/** The value that an upsert proposed for the column. */
export const excluded = (column: AnyColumn): SQL => sql`excluded.${columnName(column)}`;

/** `name = value` for each column of an update or an upsert, such as `setEach(columns, excluded)`. */
export const setEach = <C extends AnyColumn>(columns: readonly C[], value: (column: C) => SQL): SQL =>
  sql.join(
    columns.map((column) => sql`${columnName(column)} = ${value(column)}`),
    sql`, `,
  );

/** Joins conditions with "and"; null conditions are skipped, and no condition at all is always true. */
export function allOf(conditions: readonly (SQL | null)[]): SQL {
  const present = conditions.filter((condition) => condition !== null);
  return present.length === 0 ? sql`true` : sql.join(present, sql` and `);
}
