import { Components, type Json } from "../openapi/components.ts";
import { envelopeOf, ResponseMeta } from "../openapi/envelopes.ts";
import type { ToolOperation } from "../../src/mcp/tools/tool.ts";

const PREFIX = "#/components/schemas/";
/** Clients validate results with this schema; the model reads the results themselves. */
const DESCRIBING = new Set(["description", "examples", "title", "default"]);

/** The schema of a tool's structured content: the envelope of the operation, or an error. */
export function outputSchemaOf(operation: ToolOperation): Json {
  const components = new Components();
  Object.assign(components.schemas, { ResponseMeta });
  const envelope = compact(envelopeOf(operation, components)) as Json & { properties: Json; required: string[] };
  const names = new Set<string>();
  collectNames(envelope, components, names);
  const definitions = Object.fromEntries([...names].sort().map((name) => [name, compact(components.schemas[name])]));
  return {
    type: "object",
    properties: { ...envelope.properties, error: { type: "object" } },
    anyOf: [{ required: envelope.required }, { required: ["error"] }],
    ...(names.size === 0 ? {} : { $defs: definitions }),
  };
}

function compact(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => compact(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      if (!isNames && DESCRIBING.has(key)) return [];
      // Repeats the format, at length.
      if (!isNames && key === "pattern" && "format" in value) return [];
      if (key === "$ref") return [[key, String(member).replace(PREFIX, "#/$defs/")]];
      // Below `properties` the keys are names of fields, not keywords.
      return [[key, compact(member, !isNames && key === "properties")]];
    }),
  );
}

function collectNames(schema: unknown, components: Components, names: Set<string>): void {
  for (const [, name = ""] of JSON.stringify(schema).matchAll(
    /"\$ref":"#\/(?:\$defs|components\/schemas)\/([^"]+)"/g,
  )) {
    if (names.has(name)) continue;
    names.add(name);
    collectNames(components.schemas[name], components, names);
  }
}
