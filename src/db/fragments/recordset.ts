import { sql, type SQL } from "drizzle-orm";
import type { ArrayElement } from "../array-text.ts";
import type { Parameters } from "../constant-statement.ts";
import { array, type ArrayType } from "../sql.ts";

/** A column of a recordset: its type, and its value in a row. */
export type RecordsetColumn<Row> = readonly [type: ArrayType, value: (row: Row) => ArrayElement];

export type RecordsetColumns<Row> = Readonly<Record<string, RecordsetColumn<Row>>>;

/**
 * Rows as a source of a statement, one array parameter for each column:
 * `unnest($1::bigint[], $2::text[]) as "t"("id", "title")`. Lists within a column must be JSON, because
 * Postgres does not accept ragged arrays.
 */
export function recordset<Row>(name: string, rows: readonly Row[], columns: RecordsetColumns<Row>): SQL {
  const arrays = Object.values(columns).map(([type, value]) => array(rows.map(value), type));
  return unnest(name, arrays, columns);
}

/** The same as a part of a constant statement, whose input has the rows. */
export function constantRecordset<Input, Row>(
  parameters: Parameters<Input>,
  name: string,
  rowsOf: (input: Input) => readonly Row[],
  columns: RecordsetColumns<Row>,
): SQL {
  const arrays = Object.values(columns).map(([type, value]) =>
    parameters.array((input) => rowsOf(input).map(value), type),
  );
  return unnest(name, arrays, columns);
}

function unnest(name: string, arrays: readonly SQL[], columns: RecordsetColumns<never>): SQL {
  const names = Object.keys(columns).map((column) => sql.identifier(column));
  return sql`unnest(${sql.join([...arrays], sql`, `)}) as ${sql.identifier(name)}(${sql.join(names, sql`, `)})`;
}
