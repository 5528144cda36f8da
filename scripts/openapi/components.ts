import { z } from "zod";

export type Json = Record<string, unknown>;

/**
 * The named schemas of the document. A schema with an id is added when a schema that uses it is converted.
 */
export class Components {
  readonly schemas: Record<string, Json> = {};

  /** Converts a body's schema and moves its named parts to the components. */
  schemaOf(schema: z.ZodType): Json {
    const { $defs = {}, $schema: _, ...root } = toJson(schema) as Json & { $defs?: Record<string, Json> };
    for (const [name, definition] of Object.entries($defs)) this.schemas[name] = relink(withoutId(definition));
    const id = typeof root["id"] === "string" ? root["id"] : null;
    if (id === null) return relink(root);
    this.schemas[id] = relink(withoutId(root));
    return { $ref: `#/components/schemas/${id}` };
  }
}

/** Converts a schema that has no named parts. */
export function plainSchemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...json } = toJson(schema);
  return json;
}

const toJson = (schema: z.ZodType): Json =>
  z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    reused: "inline",
    override: ({ zodSchema, jsonSchema }) => tidy(jsonSchema, z.globalRegistry.get(zodSchema)?.examples),
  });

/**
 * Writes examples in one form, and removes integer bounds that equal the safe-integer range.
 *
 * @param examples as declared; the converter drops them from a schema with a transformation, because they
 *   are inputs
 */
function tidy(json: Json, examples: unknown): void {
  if (examples !== undefined) json["examples"] ??= examples;
  if ("example" in json) {
    json["examples"] = [json["example"]];
    delete json["example"];
  }
  if (json["minimum"] === Number.MIN_SAFE_INTEGER) delete json["minimum"];
  if (json["maximum"] === Number.MAX_SAFE_INTEGER) delete json["maximum"];
  const { prefixItems } = json;
  if (Array.isArray(prefixItems)) {
    // The number of items is fixed; linters demand a schema for further ones.
    Object.assign(json, { items: prefixItems.at(-1), minItems: prefixItems.length, maxItems: prefixItems.length });
  }
}

/** Writes a record with fixed keys as an object with these properties, which linters and generators read. */
function listKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(listKeys);
  if (typeof value !== "object" || value === null) return value;
  const json = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, listKeys(member)])) as Json;
  const { propertyNames, additionalProperties, ...rest } = json;
  const keys = (propertyNames as { enum?: readonly string[] } | undefined)?.enum;
  if (keys === undefined || additionalProperties === undefined) return json;
  const properties = Object.fromEntries(keys.map((key) => [key, additionalProperties]));
  return { ...rest, properties, additionalProperties: false };
}

const withoutId = ({ id: _, ...schema }: Json): Json => schema;

function relink<T>(value: T): T {
  return listKeys(JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'))) as T;
}
