export interface ContractSchema {
  readonly $ref?: string;
  readonly allOf?: readonly ContractSchema[];
  readonly oneOf?: readonly ContractSchema[];
  readonly properties?: Readonly<Record<string, ContractSchema>>;
  readonly items?: ContractSchema;
  readonly additionalProperties?: unknown;
  readonly const?: unknown;
}

/**
 * The paths of fields that no schema names. JSON Schema allows such fields, so a misspelt optional field
 * would pass unnoticed.
 */
export function unnamedFields(
  schema: ContractSchema,
  value: unknown,
  schemas: Readonly<Record<string, ContractSchema>>,
  path = "",
): string[] {
  const parts = expand(schema, value, schemas);
  if (Array.isArray(value)) {
    const items = parts.find((part) => part.items !== undefined)?.items;
    return items === undefined
      ? []
      : value.flatMap((item, index) => unnamedFields(items, item, schemas, `${path}/${index}`));
  }
  if (typeof value !== "object" || value === null) return [];
  if (
    parts.some((part) => part.additionalProperties !== undefined) ||
    parts.every((part) => part.properties === undefined)
  )
    return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const named = parts.find((part) => part.properties?.[name] !== undefined)?.properties?.[name];
    return named === undefined
      ? [`${path}/${name} is not in the contract`]
      : unnamedFields(named, field, schemas, `${path}/${name}`);
  });
}

/**
 * The schemas that apply to a value together: references followed, `allOf` joined, the `oneOf` alternative
 * chosen by its `type`.
 */
function expand(
  schema: ContractSchema,
  value: unknown,
  schemas: Readonly<Record<string, ContractSchema>>,
): ContractSchema[] {
  const target = schema.$ref === undefined ? undefined : schemas[schema.$ref.slice("#/schemas/".length)];
  const alternatives = (schema.oneOf ?? []).filter((part) => fitsType(part, value, schemas));
  return [schema, ...(schema.allOf ?? []), ...alternatives, ...(target === undefined ? [] : [target])].flatMap((part) =>
    part === schema ? [part] : expand(part, value, schemas),
  );
}

function fitsType(schema: ContractSchema, value: unknown, schemas: Readonly<Record<string, ContractSchema>>): boolean {
  const type = expand(schema, value, schemas).find((part) => part.properties?.["type"] !== undefined)?.properties?.[
    "type"
  ]?.const;
  return typeof value === "object" && value !== null && "type" in value && value.type === type;
}
