import { z } from "zod";

export type Json = Record<string, unknown>;

/** The document's named schemas, by name. Those with an id join as the schemas that use them are read. */
export class Components {
  readonly schemas: Record<string, Json> = {};

  /** A body's schema, its named parts moved to the components. */
  schemaOf(schema: z.ZodType): Json {
    const { $defs = {}, $schema: _, ...root } = toJson(schema) as Json & { $defs?: Record<string, Json> };
    for (const [name, definition] of Object.entries($defs)) this.schemas[name] = relink(withoutId(definition));
    const id = typeof root["id"] === "string" ? root["id"] : null;
    if (id === null) return relink(root);
    this.schemas[id] = relink(withoutId(root));
    return { $ref: `#/components/schemas/${id}` };
  }
}

/** A schema without named parts. */
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
 * One spelling for examples, and no bounds that say no more than what an integer can hold.
 *
 * @param examples as declared: of a schema with a transformation the converter leaves them out, taking them for its output
 */
function tidy(json: Json, examples: unknown): void {
  if (examples !== undefined) json["examples"] ??= examples;
  if ("example" in json) {
    json["examples"] = [json["example"]];
    delete json["example"];
  }
  if (json["minimum"] === Number.MIN_SAFE_INTEGER) delete json["minimum"];
  if (json["maximum"] === Number.MAX_SAFE_INTEGER) delete json["maximum"];
}

const withoutId = ({ id: _, ...schema }: Json): Json => schema;

function relink<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as T;
}
