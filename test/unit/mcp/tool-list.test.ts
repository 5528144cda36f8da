import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { ADDED_PARAMETERS } from "../../contract/additions.ts";
import tools from "../../contract/mcp-tools.json" with { type: "json" };

interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, { readonly description?: string }>>;
    readonly required: readonly string[];
    readonly additionalProperties: boolean;
  };
  readonly outputSchema: { readonly type: string };
  readonly annotations: object;
}

const readGenerated = (file: string) =>
  readFileSync(new URL(`../../../src/generated/${file}`, import.meta.url), "utf8");
const listed: readonly ListedTool[] = JSON.parse(readGenerated("mcp-tools.txt")).tools;
const inputs: Readonly<Record<string, object>> = JSON.parse(readGenerated("mcp-inputs.txt"));
/** Tools of ours that the contract does not have. */
const OWN_TOOLS = ["plan_request"];

test("the list has each tool of the contract once, in the order of the registry, then our own", () => {
  const names = listed.map(({ name }) => name);
  expect(names).toEqual([...OPERATIONS.flatMap(({ mcpTool }) => mcpTool ?? []), ...OWN_TOOLS]);
  expect(names.filter((name) => !OWN_TOOLS.includes(name)).toSorted()).toEqual(Object.keys(tools).toSorted());
});

describe.each(Object.entries(tools))("%s", (name, contracted) => {
  test(`${name} takes the contract's arguments, and max_age_s`, () => {
    const { id = "" } = OPERATIONS.find(({ mcpTool }) => mcpTool === name) ?? {};
    const added = ADDED_PARAMETERS[id] ?? [];
    const { inputSchema } = listed.find((tool) => tool.name === name) ?? {};
    expect(Object.keys(inputSchema?.properties ?? {}).toSorted()).toEqual(
      [...new Set([...contracted.arguments, ...added, "max_age_s"])].toSorted(),
    );
    expect(inputSchema?.required.toSorted()).toEqual(contracted.required.toSorted());
    expect(inputSchema?.additionalProperties).toBe(false);
  });
});

test("every tool has a title, descriptions, an output schema and the annotations of a read", () => {
  for (const { name, title, description, inputSchema, outputSchema, annotations } of listed) {
    expect({ name, title, description }).toEqual({
      name: expect.stringMatching(/^[a-z][a-z_]{0,63}$/),
      title: expect.stringMatching(/\w/),
      description: expect.stringMatching(/\w/),
    });
    expect(annotations).toEqual({
      title,
      ...{ readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
    });
    const undescribed = Object.entries(inputSchema.properties).filter(([, schema]) => !schema.description);
    expect({ name, undescribed }).toEqual({ name, undescribed: [] });
    expect(outputSchema.type).toBe("object");
  }
});

test("the checked schemas are the listed ones without their texts", () => {
  expect(Object.keys(inputs)).toEqual(listed.map(({ name }) => name));
  for (const { name, inputSchema } of listed) {
    expect(inputs[name]).toMatchObject({ type: "object", required: inputSchema.required, additionalProperties: false });
    expect(Object.keys((inputs[name] as ListedTool["inputSchema"]).properties)).toEqual(
      Object.keys(inputSchema.properties),
    );
  }
});
