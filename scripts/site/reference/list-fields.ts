import type { Schema } from "./api-document.ts";

type Components = Readonly<Record<string, Schema>>;

/** Schemas that nearly every response has. They are described once, on the first page of the reference. */
export const COMMON_SCHEMAS = ["ResponseMeta", "DataQuality", "Error"];

/**
 * The fields of a schema as a nested Markdown list; empty for a schema without fields.
 *
 * @param open the names of the schemas around it: a schema within itself is only named
 */
export function listFields(schema: Schema, components: Components, open: readonly string[] = []): string {
  return fieldLines(schema, components, open, "").join("\n");
}

function fieldLines(schema: Schema, components: Components, open: readonly string[], indent: string): string[] {
  const { target, names } = resolve(schema, components, open);
  if (target === null) return [];
  const alternatives = alternativesOf(target);
  if (alternatives.length > 1) {
    return alternatives.flatMap((part) => {
      const lines = fieldLines(part, components, names, `${indent}  `);
      return lines.length === 0 ? [] : [`${indent}- one form (${typeOf(part, components)}):`, ...lines];
    });
  }
  const [only] = alternatives;
  if (only !== undefined) return fieldLines(only, components, names, indent);
  if (Array.isArray(target["allOf"]))
    return (target["allOf"] as Schema[]).flatMap((part) => fieldLines(part, components, names, indent));
  if (isSchema(target["items"])) return fieldLines(target["items"], components, names, indent);
  const required = new Set((target["required"] as readonly string[] | undefined) ?? []);
  return Object.entries((target["properties"] as Record<string, Schema> | undefined) ?? {}).flatMap(([name, part]) => {
    const common = COMMON_SCHEMAS.find((known) => part["$ref"] === `#/components/schemas/${known}`);
    const type = common === undefined ? typeOf(part, components) : `[${common}](/docs/reference#${common})`;
    const optional = required.has(name) ? "" : ", optional";
    const line = `${indent}- \`${name}\` *${type}${optional}* ${describe(part, components)}`.trimEnd();
    return [line, ...(common === undefined ? fieldLines(part, components, names, `${indent}  `) : [])];
  });
}

/** @returns a null target for a schema that contains itself */
function resolve(schema: Schema, components: Components, open: readonly string[]) {
  let target = schema;
  const names = [...open];
  while (typeof target["$ref"] === "string") {
    const name = target["$ref"].split("/").at(-1) ?? "";
    if (names.includes(name)) return { target: null, names };
    names.push(name);
    target = componentOf(name, components);
  }
  return { target, names };
}

const componentOf = (name: string, components: Components): Schema => {
  const found = components[name];
  if (found === undefined) throw new Error(`the document has no schema ${name}`);
  return found;
};

/** The alternatives of a schema, without null. */
function alternativesOf(schema: Schema): Schema[] {
  const parts = (schema["anyOf"] ?? schema["oneOf"] ?? []) as Schema[];
  return parts.filter((part) => part["type"] !== "null");
}

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** The type of a value in words: `integer`, `text or null`, `list of objects`. */
export function typeOf(schema: Schema, components: Components): string {
  const { target } = resolve(schema, components, []);
  if (target === null) return "object";
  if (target["const"] !== undefined) return `\`${JSON.stringify(target["const"])}\``;
  const parts = (target["anyOf"] ?? target["oneOf"]) as Schema[] | undefined;
  if (parts !== undefined) return [...new Set(parts.map((part) => typeOf(part, components)))].join(" or ");
  if (target["allOf"] !== undefined) return "object";
  if (Array.isArray(target["enum"]))
    return `one of ${target["enum"].map((value) => `\`${String(value)}\``).join(", ")}`;
  const types = [target["type"] ?? "any value"].flat() as string[];
  return types
    .map((type) => {
      if (type === "array")
        return isSchema(target["items"]) ? `list of ${typeOf(target["items"], components)}` : "list";
      if (type === "string") return typeof target["format"] === "string" ? `string (${target["format"]})` : "string";
      return type;
    })
    .join(" or ");
}

/** A description on one line; of a reference without its own, that of its schema. */
function describe(schema: Schema, components: Components): string {
  const own = schema["description"] ?? resolve(schema, components, []).target?.["description"];
  return typeof own === "string" ? own.replaceAll(/\s+/g, " ") : "";
}
