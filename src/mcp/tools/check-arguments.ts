/** A JSON Schema with the keywords that input schemas use. `scripts/mcp` refuses any other keyword. */
export interface ArgumentSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: ArgumentSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, ArgumentSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ArgumentSchema;
  readonly oneOf?: readonly ArgumentSchema[];
  readonly anyOf?: readonly ArgumentSchema[];
  readonly not?: ArgumentSchema;
}

export interface ArgumentFault {
  /** The path of the argument: `limit`, `traders[0]`. */
  readonly param: string;
  readonly message: string;
}

/** Longer paths contain names invented by the client and are not echoed. */
const MAX_PATH_CHARACTERS = 200;

/** The first difference between the arguments and a tool's schema; null when they match. */
export function checkArguments(
  schema: ArgumentSchema,
  values: Readonly<Record<string, unknown>>,
): ArgumentFault | null {
  return findFault(schema, values, "");
}

function findFault(schema: ArgumentSchema, value: unknown, path: string): ArgumentFault | null {
  const problem = findProblem(schema, value);
  if (problem !== null) return argumentFault(path, problem);
  if (Array.isArray(value))
    return findFirst(value.entries(), ([index, item]) => inItem(schema, item, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return null;
  return findFaultInObject(schema, value as Record<string, unknown>, path);
}

const inItem = ({ items }: ArgumentSchema, item: unknown, path: string): ArgumentFault | null =>
  items === undefined ? null : findFault(items, item, path);

function findFaultInObject(schema: ArgumentSchema, value: Record<string, unknown>, path: string): ArgumentFault | null {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return argumentFault(at(missing), "is required");
  return findFirst(Object.entries(value), ([name, member]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known !== undefined) return findFault(known, member, at(name));
    if (additionalProperties === true) return null;
    if (additionalProperties !== false) return findFault(additionalProperties, member, at(name));
    const names = Object.keys(properties);
    return argumentFault(
      at(name),
      names.length === 0 ? "is not known: there are no arguments" : `is not known. Known: ${names.join(", ")}`,
    );
  });
}

/** What is wrong with the value itself, apart from its parts. */
function findProblem(schema: ArgumentSchema, value: unknown): string | null {
  const { type, enum: values, const: constant, oneOf, anyOf, not } = schema;
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((name) => isOfType(name, value))) return `must be of type ${types.join(" or ")}`;
  if (values !== undefined && !values.includes(value)) return `must be one of ${values.join(", ")}`;
  if (constant !== undefined && value !== constant) return `must be ${String(constant)}`;
  const alternatives = anyOf ?? oneOf;
  if (alternatives !== undefined && !alternatives.some((part) => findFault(part, value, "") === null))
    return "matches none of its alternatives";
  if (not !== undefined && findFault(not, value, "") === null) return "has an excluded value";
  if (typeof value === "number") return findNumberProblem(schema, value);
  if (typeof value === "string") return findTextProblem(schema, value);
  if (!Array.isArray(value)) return null;
  const { minItems = 0, maxItems = Infinity } = schema;
  return value.length < minItems || value.length > maxItems
    ? `must have ${describeRange(minItems, maxItems)} items`
    : null;
}

function findNumberProblem({ minimum, maximum, exclusiveMinimum }: ArgumentSchema, value: number): string | null {
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return `must be greater than ${exclusiveMinimum}`;
  return maximum !== undefined && value > maximum ? `must be at most ${maximum}` : null;
}

function findTextProblem(
  { minLength = 0, maxLength = Infinity, pattern }: ArgumentSchema,
  text: string,
): string | null {
  const length = [...text].length;
  if (length < minLength || length > maxLength) return `must have ${describeRange(minLength, maxLength)} characters`;
  return pattern !== undefined && !new RegExp(pattern, "u").test(text) ? `must match ${pattern}` : null;
}

const describeRange = (min: number, max: number): string =>
  max === Infinity ? `at least ${min}` : min === 0 ? `at most ${max}` : `${min} to ${max}`;

function isOfType(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isSafeInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function argumentFault(path: string, problem: string): ArgumentFault {
  const param = path === "" || path.length > MAX_PATH_CHARACTERS ? "arguments" : path;
  return { param, message: `${param} ${problem}.` };
}

function findFirst<T>(values: Iterable<T>, find: (value: T) => ArgumentFault | null): ArgumentFault | null {
  for (const value of values) {
    const found = find(value);
    if (found !== null) return found;
  }
  return null;
}
