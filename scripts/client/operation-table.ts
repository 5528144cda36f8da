import { z } from "zod";
import type { Operation } from "../../src/api/operation.ts";
import { MCP_PATH } from "../../src/mcp/handle-mcp.ts";

const MCP_ID = "createMcpJsonRpcResponse";

const ApiDocument = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        parameters: z.array(z.looseObject({ name: z.string() })).optional(),
      }),
    ),
  ),
});

/**
 * What the client must know of each operation when it runs: method, path, and one letter for each trait.
 *
 * k needs a credential; r is a read although it is a POST; i takes an Idempotency-Key; c pages with a cursor;
 * t answers text; d answers a redirect; e answers an event stream; x is retired; j is JSON-RPC.
 */
export function renderOperationTable(operations: readonly Operation[], document: string): string {
  const { paths } = ApiDocument.parse(JSON.parse(document));
  const rows = operations.map((operation) => {
    const names = (paths[operation.path]?.[operation.method]?.parameters ?? []).map(({ name }) => name);
    return rowOf(operation.id, operation.method, operation.path, traitsOf(operation, names.includes("cursor")));
  });
  // The endpoint for agents is no operation of the registry.
  rows.push(rowOf(MCP_ID, "post", MCP_PATH, "j"));
  return [
    "/* Written by npm run openapi. */",
    "",
    "/** Method, path below /api/v1, and traits; scripts/client/operation-table.ts explains the letters. */",
    `export const OPERATIONS = {\n${rows.join("\n")}\n} as const satisfies Record<string, string>;`,
    "",
  ].join("\n");
}

const rowOf = (id: string, method: string, path: string, traits: string): string =>
  `  ${id}: ${JSON.stringify(`${method.toUpperCase()} ${path.replace("/api/v1", "") || "/"} ${traits}`.trimEnd())},`;

function traitsOf(operation: Operation, hasCursor: boolean): string {
  const { kind } = operation;
  const single = kind === "single" ? operation : null;
  const traits: readonly [string, boolean][] = [
    ["k", operation.access === "key"],
    ["r", single?.batchUnits !== undefined],
    ["i", single?.idempotent === true],
    ["c", hasCursor && kind !== "retired"],
    ["t", kind === "text"],
    ["d", kind === "redirect"],
    ["e", kind === "stream"],
    ["x", kind === "retired"],
  ];
  return traits.flatMap(([letter, isSet]) => (isSet ? [letter] : [])).join("");
}
