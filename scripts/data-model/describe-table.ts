import { is, SQL } from "drizzle-orm";
import { getTableConfig, IndexedColumn, type PgTable } from "drizzle-orm/pg-core";
import { renderSql } from "../../src/db/sql.ts";
import type { SchemaComments } from "./read-comments.ts";

export interface DescribedColumn {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  /** Whether the column alone identifies a row. */
  readonly isUnique: boolean;
  readonly comment: string;
}

export interface DescribedTable {
  readonly name: string;
  readonly comment: string;
  readonly columns: readonly DescribedColumn[];
  readonly primaryKey: readonly string[];
  /** Keys and indexes, each in one line. */
  readonly indexes: readonly string[];
  /** Conditions on the values of a row, as SQL. */
  readonly checks: readonly string[];
  /** Declared foreign keys of one column: the table by the column. */
  readonly references: ReadonlyMap<string, string>;
}

/** @param exportName the name of the table in its file, by which its comments are found */
export function describeTable(table: PgTable, exportName: string, comments: SchemaComments): DescribedTable {
  const config = getTableConfig(table);
  const properties = new Map(Object.entries(table).map(([property, value]) => [value, property]));
  const primaryKey =
    config.primaryKeys[0]?.columns.map(({ name }) => name) ??
    config.columns.filter((column) => column.primary).map(({ name }) => name);
  return {
    name: config.name,
    comment: comments.tables.get(exportName) ?? "",
    columns: config.columns.map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      isNullable: !column.notNull,
      isUnique: column.isUnique || (primaryKey.length === 1 && primaryKey[0] === column.name),
      comment: comments.columns.get(`${exportName}.${properties.get(column)}`) ?? "",
    })),
    primaryKey,
    indexes: [
      ...(primaryKey.length === 0 ? [] : [`primary key (${primaryKey.join(", ")})`]),
      ...config.columns.filter((column) => column.isUnique).map(({ name }) => `unique (${name})`),
      ...config.indexes.map((index) => describeIndex(index.config, config.name)),
    ],
    checks: config.checks.map((check) => sqlText(check.value, config.name)),
    references: new Map(
      config.foreignKeys.flatMap((key) => {
        const { columns, foreignTable } = key.reference();
        const [column, ...others] = columns;
        return column === undefined || others.length > 0 ? [] : [[column.name, getTableConfig(foreignTable).name]];
      }),
    ),
  };
}

type IndexConfig = ReturnType<typeof getTableConfig>["indexes"][number]["config"];

function describeIndex({ name, unique, method, columns, where }: IndexConfig, table: string): string {
  const parts = columns.map((column) => {
    if (is(column, SQL)) return sqlText(column, table);
    return is(column, IndexedColumn) ? describeIndexedColumn(column) : "";
  });
  const kind = `${unique ? "unique " : ""}${method === undefined || method === "btree" ? "" : `${method} `}`;
  const condition = where === undefined ? "" : ` where ${sqlText(where, table)}`;
  return `${name}: ${kind}(${parts.join(", ")})${condition}`;
}

function describeIndexedColumn({ name, indexConfig: { order, nulls } }: IndexedColumn): string {
  return `${name}${order === "desc" ? ` desc nulls ${nulls}` : ""}`;
}

/** The text of an expression, with its columns unqualified and unquoted. */
function sqlText(value: SQL, table: string): string {
  const { sql } = renderSql(value);
  return sql.replaceAll(`"${table}".`, "").replaceAll(/"(\w+)"/g, "$1");
}
