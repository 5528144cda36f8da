import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { describeTable } from "../../../../scripts/data-model/describe-table.ts";
import { findRelations } from "../../../../scripts/data-model/find-relations.ts";
import { readComments } from "../../../../scripts/data-model/read-comments.ts";
import { renderDataModel } from "../../../../scripts/data-model/render-data-model.ts";

const SOURCE = `
/** A reader of books. */
export const traders = pgTable("traders", {
  id: id(),
  /**
   * The name, null or
   * with a | in it.
   */
  name: text("name"),
});

/** Not a table. */
const other = () => text("other");

export const notes = pgTable("notes", {
  traderId: rowId("trader_id").notNull().unique(),
  /** The name of the note. */
  name: text("name"),
});
`;

const traders = pgTable("traders", { id: bigint("id", { mode: "number" }).primaryKey(), name: text("name") }, (t) => [
  index("traders_name")
    .on(t.name.desc().nullsLast(), sql`lower(${t.name})`)
    .where(sql`${t.name} is not null`),
  check("traders_name_length", sql`length(${t.name}) > 1`),
]);
const notes = pgTable(
  "notes",
  {
    traderId: bigint("trader_id", { mode: "number" }).notNull().unique(),
    accountId: text("account_id"),
    name: text("name"),
  },
  (t) => [uniqueIndex("notes_name").on(t.name)],
);
const comments = readComments(SOURCE);
const [TRADERS, NOTES] = [describeTable(traders, "traders", comments), describeTable(notes, "notes", comments)];

test("a comment belongs to the table or the column that follows it", () => {
  expect(comments.order).toEqual(["traders", "notes"]);
  expect([...comments.tables]).toEqual([["traders", "A reader of books."]]);
  expect([...comments.columns]).toEqual([
    ["traders.name", "The name, null or with a | in it."],
    ["notes.name", "The name of the note."],
  ]);
});

test("a table is described with its keys, indexes and checks as SQL", () => {
  expect(TRADERS).toMatchObject({
    name: "traders",
    primaryKey: ["id"],
    indexes: ["primary key (id)", "traders_name: (name desc nulls last, lower(name)) where name is not null"],
    checks: ["length(name) > 1"],
  });
  expect(NOTES.indexes).toEqual(["unique (trader_id)", "notes_name: unique (name)"]);
});

test("a column is a relation if it is named after a table and has the type of its primary key", () => {
  const accounts = describeTable(
    pgTable("accounts", { id: bigint("id", { mode: "number" }).primaryKey() }),
    "",
    comments,
  );
  const relations = findRelations(NOTES, [TRADERS, NOTES, accounts]);
  expect(relations.map(({ column, to }) => [column.name, to.name])).toEqual([["trader_id", "traders"]]);
});

test("a group is rendered as a diagram and one section a table", () => {
  const document = renderDataModel([{ title: "books", file: "src/db/schema/books.ts", tables: [TRADERS, NOTES] }]);
  expect(document).toContain(
    "```mermaid\nerDiagram\n  traders { bigint id PK }\n  notes\n  traders ||--o| notes : trader_id\n```\n",
  );
  expect(document).toContain("### traders\n\nA reader of books.\n\n| Column | Type | Null | Meaning |");
  expect(document).toContain("| name | text | null | The name, null or with a \\| in it. |");
  expect(document).toContain("Checks:\n\n- `length(name) > 1`\n");
});
