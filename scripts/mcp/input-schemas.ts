import { z } from "zod";
import { cursorParam, describeParam, docOf } from "../../src/api/request/query-params.ts";
import { MAX_AGE_ARGUMENT, judgesAge, type ToolOperation } from "../../src/mcp/tools/tool.ts";
import { Components, plainSchemaOf, type Json } from "../openapi/components.ts";

const MAX_AGE: Json = {
  type: "integer",
  minimum: 0,
  description:
    "Greatest accepted age of the result in seconds: of data_quality.as_of, else of its as_of or computed_at, else of the cached response. An older result is refused with freshness_ceiling_unsatisfied. Any age when omitted.",
};

/** The keywords that src/mcp/tools/check-arguments.ts checks. */
const CHECKED = new Set(
  "type enum const minimum maximum exclusiveMinimum minLength maxLength pattern items minItems maxItems properties required additionalProperties oneOf anyOf not".split(
    " ",
  ),
);
/** Keywords that only describe. The operation itself checks formats. */
const DESCRIBING = new Set(["description", "title", "default", "examples", "format"]);

/**
 * The arguments of a tool: path, query and body parameters of its operation under the same names.
 *
 * @throws Error when two places have a parameter of the same name, or a schema has an unchecked keyword
 */
export function inputSchemaOf(operation: ToolOperation): Json {
  const path = Object.entries(operation.params).map(([name, schema]) => [name, plainSchemaOf(schema), true] as const);
  const cursors = operation.kind === "list" ? operation.cursor : null;
  const cursor = cursors === null ? {} : { cursor: cursorParam(cursors.prefix, cursors.expiresWithFilters) };
  const query = Object.entries({ ...operation.query, ...cursor }).map(([name, param]) => {
    const { json, required } = docOf(param);
    const { description, example } = describeParam(param);
    return [
      name,
      { ...json, description, ...(example === undefined ? {} : { examples: [example] }) },
      required,
    ] as const;
  });
  const freshness = judgesAge(operation) ? [] : [[MAX_AGE_ARGUMENT, MAX_AGE, false] as const];
  const all = [...path, ...query, ...bodyMembersOf(operation), ...freshness];
  const properties = Object.fromEntries(all.map(([name, schema]) => [name, schema]));
  if (Object.keys(properties).length < all.length) throw new Error(`${operation.id} has two parameters of one name`);
  const schema = {
    type: "object",
    properties,
    required: all.flatMap(([name, , required]) => (required ? [name] : [])),
    additionalProperties: false,
  };
  requireCheckedKeywords(schema, operation.id);
  return schema;
}

function bodyMembersOf(operation: ToolOperation): (readonly [string, Json, boolean])[] {
  if (operation.kind !== "single" || operation.body === undefined) return [];
  const components = new Components();
  const schema = inline(components.schemaOf(operation.body), components);
  const { properties, required } = BodySchema.parse(schema);
  return Object.entries(properties).map(([name, member]) => [name, member, required.includes(name)]);
}

const BodySchema = z.looseObject({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())),
  required: z.array(z.string()).default([]),
});

/** The schema with its named parts in place of the references. */
function inline(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((item) => inline(item, components));
  if (typeof value !== "object" || value === null) return value;
  const { $ref: ref } = value as { $ref?: string };
  if (ref !== undefined) return inline(components.schemas[ref.slice("#/components/schemas/".length)], components);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inline(member, components)]));
}

function requireCheckedKeywords(schema: Json, at: string): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (DESCRIBING.has(keyword)) continue;
    if (!CHECKED.has(keyword)) throw new Error(`${at}: the argument check does not know the keyword ${keyword}`);
    const parts =
      keyword === "properties"
        ? Object.values(value as Json)
        : ["items", "not", "additionalProperties", "oneOf", "anyOf"].includes(keyword)
          ? [value].flat()
          : [];
    for (const part of parts) if (typeof part === "object" && part !== null) requireCheckedKeywords(part as Json, at);
  }
}
