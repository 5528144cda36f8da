import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { OPERATIONS } from "../src/operations/index.ts";

/*
 * Writes test/contract/contract.json: what the contract says about the operations in the registry, and every schema that they and the posts to
 * webhooks lead to. Run it when an operation is added:
 *   node scripts/extract-contract.ts DIRECTORY     with operations.json and schemas.json of the whole contract
 */
const Operation = z.looseObject({
  operationId: z.string(),
  success: z.record(z.string(), z.looseObject({ response: z.string().optional() })),
});
const KEPT = [
  "operationId",
  "method",
  "path",
  "tag",
  "auth",
  "scope",
  "plan",
  "deprecated",
  "alias_of",
  "path_params",
  "query",
  "conditional",
  "cost",
];

/** What is posted to webhooks. */
const POSTED = ["WebhookEvent", "WebhookEventData"];

const directory = process.argv[2];
if (directory === undefined) throw new Error("usage: node scripts/extract-contract.ts DIRECTORY");
const read = (file: string): unknown => JSON.parse(readFileSync(join(directory, file), "utf8"));

const ids = new Set(OPERATIONS.map((operation) => operation.id));
const operations = z
  .array(Operation)
  .parse(read("operations.json"))
  .filter((operation) => ids.has(operation.operationId));
const schemas = z.record(z.string(), z.unknown()).parse(read("schemas.json"));

const extract = {
  operations: operations.map((operation) => {
    const kept = Object.fromEntries(KEPT.map((name) => [name, operation[name]]));
    return withoutNotes({ ...kept, mcp_tool: operation["mcp_tool"], errors: operation["errors"], success: operation.success });
  }),
  schemas: Object.fromEntries(
    [...reachable([...POSTED, ...operations.flatMap(({ success }) => Object.values(success).flatMap(({ response }) => response ?? []))])]
      .toSorted()
      .map((name) => [name, withoutNotes(schemas[name])]),
  ),
};
writeFileSync(new URL("../test/contract/contract.json", import.meta.url), `${presentLines(extract)}\n`);

/** The named schemas and all they refer to. */
function reachable(names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    if (schemas[name] === undefined) throw new Error(`the contract has no schema ${name}`);
    found.add(name);
    waiting.push(...[...JSON.stringify(schemas[name]).matchAll(/"#\/schemas\/(\w+)"/g)].map(([, target = ""]) => target));
  }
  return found;
}

function withoutNotes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === "x-note" ? undefined : inner)));
}

/** One operation and one schema a line, so that a change shows as the line it changes. */
function presentLines({ operations: rows, schemas: named }: { operations: unknown[]; schemas: Record<string, unknown> }): string {
  const operationLines = rows.map((row) => JSON.stringify(row)).join(",\n");
  const schemaLines = Object.entries(named).map(([name, schema]) => `${JSON.stringify(name)}: ${JSON.stringify(schema)}`);
  return `{"operations": [\n${operationLines}\n],\n"schemas": {\n${schemaLines.join(",\n")}\n}}`;
}
