export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: unknown;
  readonly const?: unknown;
}

/** The paths of fields that no schema names. JSON Schema lets them pass; a misspelt optional field would go unseen. */
export function unnamedFields(schema: Schema, value: unknown, schemas: Readonly<Record<string, Schema>>, path = ""): string[] {
  const parts = expand(schema, value, schemas);
  if (Array.isArray(value)) {
    const items = parts.find((part) => part.items !== undefined)?.items;
    return items === undefined ? [] : value.flatMap((item, index) => unnamedFields(items, item, schemas, `${path}/${index}`));
  }
  if (typeof value !== "object" || value === null) return [];
  if (parts.some((part) => part.additionalProperties !== undefined) || parts.every((part) => part.properties === undefined)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const named = parts.find((part) => part.properties?.[name] !== undefined)?.properties?.[name];
    return named === undefined ? [`${path}/${name} is not in the contract`] : unnamedFields(named, field, schemas, `${path}/${name}`);
  });
}

/** The schemas that hold for a value at once: references followed, `allOf` joined, the alternative of `oneOf` chosen by its `type`. */
function expand(schema: Schema, value: unknown, schemas: Readonly<Record<string, Schema>>): Schema[] {
  const target = schema.$ref === undefined ? undefined : schemas[schema.$ref.slice("#/schemas/".length)];
  const alternatives = (schema.oneOf ?? []).filter((part) => fitsType(part, value, schemas));
  return [schema, ...(schema.allOf ?? []), ...alternatives, ...(target === undefined ? [] : [target])].flatMap((part) =>
    part === schema ? [part] : expand(part, value, schemas),
  );
}

function fitsType(schema: Schema, value: unknown, schemas: Readonly<Record<string, Schema>>): boolean {
  const type = expand(schema, value, schemas).find((part) => part.properties?.["type"] !== undefined)?.properties?.["type"]?.const;
  return typeof value === "object" && value !== null && "type" in value && value.type === type;
}
