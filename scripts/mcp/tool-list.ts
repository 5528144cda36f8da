import type { Operation } from "../../src/api/operation.ts";
import { openTools } from "../../src/mcp/handle-mcp.ts";
import type { ToolOperation } from "../../src/mcp/tools/tool.ts";
import type { Json } from "../openapi/components.ts";
import { inputSchemaOf } from "./input-schemas.ts";
import { outputSchemaOf } from "./output-schemas.ts";

/** The texts that the MCP endpoint serves and checks arguments with, by file. */
export function buildMcpTexts(operations: readonly Operation[]): Readonly<Record<string, string>> {
  const tools = [...openTools(operations, async () => ({}))].map(([name, operation]) => describeTool(name, operation));
  const inputs = Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema]));
  return {
    "mcp-tools.txt": `${JSON.stringify({ tools })}\n`,
    "mcp-inputs.txt": `${JSON.stringify(inputs, withoutTexts)}\n`,
  };
}

/** The argument check needs neither descriptions nor examples. */
const withoutTexts = (key: string, value: unknown): unknown =>
  (key === "description" && typeof value === "string") || (key === "examples" && Array.isArray(value))
    ? undefined
    : value;

function describeTool(name: string, operation: ToolOperation) {
  const title = operation.summary.replace(/\.$/, "");
  return {
    name,
    title,
    description: describe(operation),
    inputSchema: inputSchemaOf(operation),
    outputSchema: outputSchemaOf(operation),
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    } satisfies Json,
  };
}

function describe({ summary, description = "", alias, plan, scope, cost }: ToolOperation): string {
  const notes = [
    summary,
    description,
    alias === undefined ? "" : `Older name: the tool of \`${alias.of}\` returns the same data.`,
    plan === "max" ? "Requires the Max plan." : "",
    scope === "read" ? "" : `Requires the scope ${scope}.`,
    cost === 1 ? "" : `Costs ${cost} units.`,
  ];
  return notes.filter((note) => note !== "").join(" ");
}
