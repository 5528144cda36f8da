import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { describeTable } from "../data-model/describe-table.ts";
import { readComments } from "../data-model/read-comments.ts";
import { renderDataModel, type TableGroup } from "../data-model/render-data-model.ts";

/*
 * Writes docs/data-model.md from the tables and their comments.
 *   node scripts/build/build-data-model.ts           writes it
 *   node scripts/build/build-data-model.ts --check   fails when the stored file is outdated
 */
const root = new URL("../../", import.meta.url);
const target = new URL("docs/data-model.md", root);

async function readGroup(file: string): Promise<TableGroup> {
  const url = new URL(file, root);
  const comments = readComments(readFileSync(url, "utf8"));
  const exported: Record<string, unknown> = await import(url.href);
  // A module lists its exports by name; the file has an order that was chosen.
  const named = [...comments.order].map((name) => [name, exported[name]] as const);
  const tables = named.flatMap(([name, value]) => (is(value, PgTable) ? [describeTable(value, name, comments)] : []));
  return { title: basename(file, ".ts"), file, tables };
}

const files = readdirSync(new URL("src/db/schema/", root), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  // Readers look for a file's name, so the folders do not order the sections.
  .toSorted((left, right) => (basename(left) < basename(right) ? -1 : 1))
  .map((name) => `src/db/schema/${name}`);
const groups: TableGroup[] = [];
for (const file of [...files, "src/db/sign-in-tables.ts"]) groups.push(await readGroup(file));
const text = renderDataModel(groups);

if (!process.argv.includes("--check")) writeFileSync(target, text);
else if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
  console.error("docs/data-model.md is outdated: run npm run data-model");
  process.exitCode = 1;
}
