import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { OPERATIONS } from "../../src/operations/index.ts";

/*
 * Writes test/contract/contract.json: the contract's entries for the registered operations, and every schema
 * that they and the webhook payloads refer to. Run it after adding an operation:
 *   node scripts/build/extract-contract.ts DIRECTORY   with operations.json and schemas.json of the whole contract
 */
const Operation = z.looseObject({
  operationId: z.string(),
  success: z.record(
    z.string(),
    z.looseObject({ response: z.string().optional(), variants: z.record(z.string(), z.string()).optional() }),
  ),
});
const KEPT_FIELDS = [
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

/** The schemas of webhook payloads. */
const WEBHOOK_SCHEMAS = ["WebhookEvent", "WebhookEventData"];
/** The schemas of the lines of files. */
const FILE_SCHEMAS = ["WhaleDatasetTrade"];

const directory = process.argv[2];
if (directory === undefined) throw new Error("Usage: node scripts/build/extract-contract.ts DIRECTORY");
const read = (file: string): unknown => JSON.parse(readFileSync(join(directory, file), "utf8"));

const ids = new Set(OPERATIONS.map((operation) => operation.id));
const operations = z
  .array(Operation)
  .parse(read("operations.json"))
  .filter((operation) => ids.has(operation.operationId));
const schemas = z.record(z.string(), z.unknown()).parse(read("schemas.json"));

const extract = {
  operations: operations.map((operation) => {
    const kept = Object.fromEntries(KEPT_FIELDS.map((name) => [name, operation[name]]));
    return withoutNotes({
      ...kept,
      mcp_tool: operation["mcp_tool"],
      errors: operation["errors"],
      success: operation.success,
    });
  }),
  schemas: Object.fromEntries(
    [
      ...reachable([
        ...WEBHOOK_SCHEMAS,
        ...FILE_SCHEMAS,
        ...operations.flatMap(({ success }) =>
          Object.values(success).flatMap(({ response, variants }) =>
            [response ?? [], Object.values(variants ?? {})].flat(),
          ),
        ),
      ]),
    ]
      .toSorted()
      .map((name) => [name, withoutNotes(schemas[name])]),
  ),
};
writeFileSync(new URL("../../test/contract/contract.json", import.meta.url), `${presentLines(extract)}\n`);

/** The named schemas and all schemas they refer to. */
function reachable(names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    if (schemas[name] === undefined) throw new Error(`the contract has no schema ${name}`);
    found.add(name);
    waiting.push(
      ...[...JSON.stringify(schemas[name]).matchAll(/"#\/schemas\/(\w+)"/g)].map(([, target = ""]) => target),
    );
  }
  return found;
}

function withoutNotes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === "x-note" ? undefined : inner)));
}

/** One operation and one schema a line, so that a change is one line of a diff. */
function presentLines({
  operations: rows,
  schemas: named,
}: {
  operations: unknown[];
  schemas: Record<string, unknown>;
}): string {
  const operationLines = rows.map((row) => JSON.stringify(row)).join(",\n");
  const schemaLines = Object.entries(named).map(
    ([name, schema]) => `${JSON.stringify(name)}: ${JSON.stringify(schema)}`,
  );
  return `{"operations": [\n${operationLines}\n],\n"schemas": {\n${schemaLines.join(",\n")}\n}}`;
}
