import type { Json } from "./components.ts";

/**
 * An example of a schema: its own, or one composed from the examples of its parts, with every optional field.
 *
 * @param path names the schema in an error
 * @throws Error that names the first part without an example
 */
export function composeExample(schema: Json, components: Readonly<Record<string, Json>>, path: string): unknown {
  const {
    examples,
    const: constant,
    enum: values,
    $ref: ref,
    allOf,
    anyOf,
    oneOf,
    properties,
    items,
    type,
  } = schema as Parts;
  const compose = (part: Json, name: string) => composeExample(part, components, `${path}${name}`);
  if (examples !== undefined) return examples[0];
  if (constant !== undefined) return constant;
  if (ref !== undefined) return composeExample(componentOf(ref, components), components, path);
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((part) => compose(part, "")));
  const [alternative] = anyOf ?? oneOf ?? [];
  if (alternative !== undefined) return compose(alternative, "");
  if (values !== undefined) return values[0];
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, compose(part, `.${name}`)]));
  }
  if (items !== undefined) return [compose(items, "[]")];
  throw new Error(`${path} has no example (type ${String(type)})`);
}

interface Parts {
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
  readonly allOf?: readonly Json[];
  readonly anyOf?: readonly Json[];
  readonly oneOf?: readonly Json[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly items?: Json;
  readonly type?: unknown;
}

function componentOf(ref: string, components: Readonly<Record<string, Json>>): Json {
  const component = components[ref.slice("#/components/schemas/".length)];
  if (component === undefined) throw new Error(`no schema ${ref}`);
  return component;
}
