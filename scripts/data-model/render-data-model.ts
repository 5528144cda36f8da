import type { DescribedTable } from "./describe-table.ts";
import { findRelations, type Relation } from "./find-relations.ts";

/** The tables of one schema file. */
export interface TableGroup {
  readonly title: string;
  /** Path of the file from the root of the repository. */
  readonly file: string;
  readonly tables: readonly DescribedTable[];
}

const INTRODUCTION = `# Data model

Generated from the schema by \`npm run data-model\`; \`npm test -- --only data-model\` fails when it is outdated.

Each section is one schema file. A line of a diagram is a column that contains the primary key of the other table; most of
them have no foreign key in the database. Column names carry their unit: \`_micro\` is millionths of a dollar or of a
share, \`_usd\` is dollars, \`_at\` is a time in UTC.`;

export function renderDataModel(groups: readonly TableGroup[]): string {
  const all = groups.flatMap(({ tables }) => tables);
  return `${[INTRODUCTION, ...groups.map((group) => renderGroup(group, all))].join("\n\n")}\n`;
}

function renderGroup({ title, file, tables }: TableGroup, all: readonly DescribedTable[]): string {
  const relations = tables.flatMap((table) => findRelations(table, all));
  return [
    `## ${title}`,
    `[${file}](../${file})`,
    renderDiagram(tables, relations),
    ...tables.map((table) => renderTable(table)),
  ].join("\n\n");
}

function renderDiagram(tables: readonly DescribedTable[], relations: readonly Relation[]): string {
  const lines = [...tables.map(renderEntity), ...relations.map(renderRelation)];
  return ["```mermaid", "erDiagram", ...lines.map((line) => `  ${line}`), "```"].join("\n");
}

/** The entity with the columns of its primary key. */
function renderEntity({ name, columns, primaryKey }: DescribedTable): string {
  if (primaryKey.length === 0) return name;
  const keys = columns.filter((column) => primaryKey.includes(column.name));
  return `${name} { ${keys.map((column) => `${column.type.replaceAll(/\W+/g, "_")} ${column.name} PK`).join(" ")} }`;
}

/** `||` is exactly one row, `|o` at most one, `o{` any number. */
function renderRelation({ from, column, to }: Relation): string {
  return `${to.name} ${column.isNullable ? "|o" : "||"}--${column.isUnique ? "o|" : "o{"} ${from.name} : ${column.name}`;
}

function renderTable({ name, comment, columns, indexes, checks }: DescribedTable): string {
  const rows = columns.map(
    (column) =>
      `| ${column.name} | ${column.type} | ${column.isNullable ? "null" : "not null"} | ${inCell(column.comment)} |`,
  );
  return [
    `### ${name}`,
    ...(comment === "" ? [] : [comment]),
    ["| Column | Type | Null | Meaning |", "|---|---|---|---|", ...rows].join("\n"),
    `Indexes:\n\n${renderList(indexes)}`,
    ...(checks.length === 0 ? [] : [`Checks:\n\n${renderList(checks)}`]),
  ].join("\n\n");
}

const renderList = (lines: readonly string[]): string => lines.map((line) => `- \`${line}\``).join("\n");

const inCell = (text: string): string => text.replaceAll(/\n+/g, " ").replaceAll("|", "\\|");
