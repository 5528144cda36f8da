import { safeText } from "./safe-text.ts";

type Row = Readonly<Record<string, unknown>>;

const MAX_CELL = 44;
const GAP = "  ";
const MIN_LAST_COLUMN = 8;

/** The single values of a row, with those of the objects in it under `object.field`. */
export function flatten(row: Row, prefix = ""): [string, string][] {
  return Object.entries(row).flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value)) return [[`${prefix}${name}`, value.length === 0 ? "[]" : JSON.stringify(value)]];
    if (typeof value === "object" && value !== null) return flatten(value as Row, `${prefix}${name}.`);
    return [[`${prefix}${name}`, value === null ? "null" : String(value)]];
  });
}

const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, width - 1)}…`);

/**
 * Rows as aligned columns: as many as fit, in the order of the fields. Long ids and hashes are cut.
 *
 * @param width columns of the terminal
 * @returns the header, then the lines
 */
export function renderTable(rows: readonly Row[], width: number): string[] {
  const flat = rows.map((row) => new Map(flatten(row)));
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  const columns: { name: string; width: number }[] = [];
  let used = 0;
  for (const name of names) {
    const cells = [name, ...flat.map((row) => safeText(row.get(name) ?? ""))];
    const own = Math.min(MAX_CELL, Math.max(...cells.map(({ length }) => length)));
    const left = width - used - (columns.length === 0 ? 0 : GAP.length);
    if (left < Math.min(own, MIN_LAST_COLUMN)) break;
    columns.push({ name, width: Math.min(own, left) });
    used = width - left + Math.min(own, left);
    if (own > left) break;
  }
  const line = (cellOf: (name: string) => string) =>
    columns
      .map((column) => cut(cellOf(column.name), column.width).padEnd(column.width))
      .join(GAP)
      .trimEnd();
  return [
    line((name) => name),
    ...flat.map((row) => line((name) => safeText(row.get(name) ?? "").replaceAll("\n", " "))),
  ];
}

/** One object as a name and a value a line. */
export function renderObject(row: Row): string[] {
  const fields = flatten(row);
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => `${name.padEnd(width)}${GAP}${safeText(value)}`);
}
