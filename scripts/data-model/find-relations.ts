import type { DescribedColumn, DescribedTable } from "./describe-table.ts";

/** A column that contains the primary key of a row of another table. */
export interface Relation {
  readonly from: DescribedTable;
  readonly column: DescribedColumn;
  readonly to: DescribedTable;
}

/**
 * Names that a rule would resolve wrongly or not at all. `event_id` is the provider's event, except on the
 * reader of the outbox; `generation` is a list generation.
 */
const BY_NAME: Readonly<Record<string, string>> = {
  "outbox_readers.event_id": "events",
  event_id: "provider_events",
  generation: "list_generations",
  key_id: "api_keys",
  entry_id: "ledger_entries",
  representative_id: "markets",
};

/**
 * The relations of a table: its foreign keys, and the columns whose name gives the table (`trader_id` is a
 * row of `traders`). Most of them have no foreign key in the database. A column of another type than the
 * primary key of that table is an outside id, not a relation.
 */
export function findRelations(from: DescribedTable, tables: readonly DescribedTable[]): Relation[] {
  return from.columns.flatMap((column) => {
    const name = from.references.get(column.name) ?? tableOf(from.name, column.name);
    const to = tables.find((table) => table.name === name);
    return to !== undefined && to !== from && column.type === keyTypeOf(to) ? [{ from, column, to }] : [];
  });
}

function tableOf(table: string, column: string): string | null {
  const named = BY_NAME[`${table}.${column}`] ?? BY_NAME[column];
  if (named !== undefined) return named;
  return column.endsWith("_id") ? `${column.slice(0, -"_id".length)}s` : null;
}

/** The type of the primary key; null where it has several columns. */
function keyTypeOf({ columns, primaryKey: [key, ...others] }: DescribedTable): string | null {
  if (others.length > 0) return null;
  return columns.find(({ name }) => name === key)?.type ?? null;
}
