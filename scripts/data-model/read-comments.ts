/** The JSDoc comments of one schema file. */
export interface SchemaComments {
  /** The names of the exported tables, in the order of the file. */
  readonly order: readonly string[];
  /** By the name of the exported table. */
  readonly tables: ReadonlyMap<string, string>;
  /** By the name of the exported table and the property of the column: `traders.grade`. */
  readonly columns: ReadonlyMap<string, string>;
}

const TABLE = /^export const (\w+) = pgTable\(/gm;
/** A comment, and the table or property that follows it. */
const COMMENT = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export const (\w+) = pgTable\(|(\w+): )/g;

/** Reads the comments from the source text: the tables themselves do not have them. */
export function readComments(source: string): SchemaComments {
  const starts = [...source.matchAll(TABLE)].map(({ index, 1: table = "" }) => ({ index, table }));
  const tables = new Map<string, string>();
  const columns = new Map<string, string>();
  for (const { index, 1: comment = "", 2: table, 3: property } of source.matchAll(COMMENT)) {
    const text = joinLines(comment);
    if (table !== undefined) tables.set(table, text);
    const owner = starts.findLast((start) => start.index < index)?.table;
    if (property !== undefined && owner !== undefined) columns.set(`${owner}.${property}`, text);
  }
  return { order: starts.map(({ table }) => table), tables, columns };
}

/** The text of a comment, one line a paragraph. */
function joinLines(comment: string): string {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\*/, "").trim());
  return lines
    .join("\n")
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll("\n", " "))
    .join("\n\n");
}
