import { z } from "zod";

/** A query parameter's description for the OpenAPI document and the query report. */
export interface ParamDoc {
  readonly json: Record<string, unknown>;
  readonly required: boolean;
  /** Whether the name may be repeated; `name[]` is then an alias. */
  readonly list: boolean;
  /** Sentences on what stands for a value left out, and what becomes of one that cannot be read. Empty where every text is taken. */
  readonly rule: string;
}

/** Takes the raw values given under a name (absent: undefined), gives the typed value. */
export type Param<T> = z.ZodType<T, readonly string[] | undefined>;

/** By a schema's definition, which the copy that `.meta()` makes shares. */
const docs = new WeakMap<object, ParamDoc>();

export function docOf(param: z.ZodType): ParamDoc {
  const doc = docs.get(param.def);
  if (doc === undefined) throw new Error("a query parameter must be declared with src/api/params.ts");
  return doc;
}

type Parsed<T> = { readonly value: T } | { readonly problem: string };

function declare<T>(doc: ParamDoc, parse: (raw: readonly string[] | undefined) => Parsed<T>): Param<T> {
  const schema = z
    .array(z.string())
    .readonly()
    .optional()
    .transform((raw, context): T => {
      const parsed = doc.list || raw === undefined || raw.length === 1 ? parse(raw) : { problem: "is given more than once" };
      if ("value" in parsed) return parsed.value;
      context.addIssue({ code: "custom", message: parsed.problem });
      return z.NEVER;
    });
  docs.set(schema.def, doc);
  return schema;
}

/** What the document says of a parameter: what it means by its declaration's `.meta()`, then by which rule it is read. */
export function describeParam(param: z.ZodType): { readonly description: string; readonly example: unknown } {
  const { description = "", example } = param.meta() ?? {};
  return { description: [description, docOf(param).rule].filter((part) => part !== "").join(" "), example };
}

const REFUSED = "Anything else is refused with 400.";

function scalar<T>(
  doc: { readonly json: Record<string, unknown>; readonly rule: string; readonly required?: boolean },
  absent: Parsed<T>,
  parse: (text: string) => Parsed<T>,
): Param<T> {
  return declare({ required: false, ...doc, list: false }, (raw) => (raw === undefined ? absent : parse(raw[0] ?? "")));
}

/** A page size: an integer, brought into its range rather than refused. */
export function limitParam({ max, default: fallback }: { max: number; default: number }): Param<number> {
  return scalar(
    {
      json: { type: "integer", minimum: 1, maximum: max, default: fallback },
      rule: `${fallback} when left out. A whole number beyond 1 to ${max} counts as the nearer of the two; anything else is refused with 400.`,
    },
    { value: fallback },
    (text) => (/^[+-]?\d+$/.test(text) ? { value: Math.min(max, Math.max(1, Number(text))) } : { problem: "must be an integer" }),
  ).meta({ description: "Rows on a page, at most.", example: fallback });
}

/**
 * Where to go on. The kernel adds it to lists; only what reads its cursors itself declares it.
 *
 * @param prefix that of the cursors it takes
 * @param expiresWithFilters whether one of other filters is expired, and not refused as none of the list's
 */
export function cursorParam(prefix: string, expiresWithFilters = false): Param<string | null> {
  const refusals = expiresWithFilters
    ? "One that this list did not give out is refused with 400 `invalid_query`; one of other filters, or whose list is gone, with 400 `cursor_expired`: begin again without it."
    : "One that this list and these filters did not give out is refused with 400 `invalid_query`; one whose list is gone, with 400 `cursor_expired`: begin again without it.";
  return textParam().meta({
    description: `Where to go on: the \`next_cursor\` of the page before, as it was given, with the same filters. Left out or empty, the first page. ${refusals}`,
    example: `${prefix}eyJleGFtcGxlIjoxfQ.c2lnbmVk`,
  });
}

interface NumberBounds {
  readonly min?: number;
  readonly max?: number;
  readonly integer?: boolean;
}

export function numberParam(bounds: NumberBounds & { default: number }): Param<number>;
export function numberParam(bounds?: NumberBounds): Param<number | null>;
export function numberParam(bounds: NumberBounds & { default?: number } = {}): Param<number | null> {
  const { min, max, integer = false, default: fallback } = bounds;
  const json = {
    type: integer ? "integer" : "number",
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
  return scalar<number | null>({ json, rule: ruleOfNumber(bounds) }, { value: fallback ?? null }, (text) => {
    const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : Number.NaN;
    if (!Number.isFinite(value) || (integer && !Number.isSafeInteger(value)))
      return { problem: `must be ${integer ? "an integer" : "a number"}` };
    if (min !== undefined && value < min) return { problem: `must be at least ${min}` };
    if (max !== undefined && value > max) return { problem: `must be at most ${max}` };
    return { value };
  });
}

function ruleOfNumber({ min, max, integer = false, default: fallback }: NumberBounds & { default?: number }): string {
  const kind = integer ? "A whole number" : "A number";
  const range = min !== undefined && max !== undefined ? ` from ${min} to ${max}` : min === undefined ? "" : `, ${min} or more`;
  return `${kind}${range}${fallback === undefined ? "" : `; ${fallback} when left out`}. ${REFUSED}`;
}

/** A number that is documented with a default and null when absent: the handler applies the default, which another parameter may change. */
export function yieldingNumberParam(documented: number): Param<number | null> {
  const schema = numberParam();
  const doc = docOf(schema);
  docs.set(schema.def, { ...doc, json: { ...doc.json, default: documented } });
  return schema;
}

/** A number that is documented as a text besides: every client may write it with an exponent, or as its language writes decimals. */
export function writtenNumberParam(bounds: NumberBounds): Param<number | null> {
  const schema = numberParam(bounds);
  const doc = docOf(schema);
  docs.set(schema.def, { ...doc, json: { oneOf: [doc.json, { type: "string" }] } });
  return schema;
}

export function booleanParam(fallback: boolean): Param<boolean> {
  const rule = `true or 1, false or 0; ${fallback} when left out. ${REFUSED}`;
  return scalar({ json: { type: "boolean", default: fallback }, rule }, { value: fallback }, (text) =>
    text === "true" || text === "1"
      ? { value: true }
      : text === "false" || text === "0"
        ? { value: false }
        : { problem: "must be true or false" },
  );
}

/** An RFC 3339 instant with its offset, of the years that Postgres and every client can write. */
export function instantParam(bounds: { required: true }): Param<Date>;
export function instantParam(): Param<Date | null>;
export function instantParam({ required = false }: { required?: boolean } = {}): Param<Date | null> {
  const absent: Parsed<Date | null> = required ? { problem: "is required" } : { value: null };
  const rule = `An RFC 3339 date-time with its offset from UTC. ${REFUSED}`;
  return scalar<Date | null>({ json: { type: "string", format: "date-time" }, rule, required }, absent, parseInstant);
}

function parseInstant(text: string): Parsed<Date> {
  const shape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;
  const value = shape.test(text) ? new Date(text) : null;
  if (value === null || Number.isNaN(value.getTime())) return { problem: "must be an RFC 3339 date-time" };
  // The offset can lead into the year before or after.
  const year = value.getUTCFullYear();
  return year < 1 || year > 9_999 ? { problem: "must be of the years 1 to 9999" } : { value };
}

/** A UTC date, YYYY-MM-DD, that exists. */
export function dateParam(): Param<string | null> {
  const rule = `A day of the calendar as YYYY-MM-DD. ${REFUSED}`;
  return scalar<string | null>({ json: { type: "string", format: "date" }, rule }, { value: null }, (text) => {
    const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
    // Date.parse reads 30 February as 2 March; Postgres has no year 0.
    const exists = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) && !text.startsWith("0000");
    return exists ? { value: text } : { problem: "must be a date, YYYY-MM-DD" };
  });
}

interface TextBounds {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
}

export function textParam(bounds: TextBounds & { required: true }): Param<string>;
export function textParam(bounds?: TextBounds): Param<string | null>;
export function textParam(bounds: TextBounds & { required?: true } = {}): Param<string | null> {
  const { min, max, pattern, required = false } = bounds;
  const json = {
    type: "string",
    ...(min === undefined ? {} : { minLength: min }),
    ...(max === undefined ? {} : { maxLength: max }),
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
  };
  const absent: Parsed<string | null> = required ? { problem: "is required" } : { value: null };
  return scalar<string | null>({ json, rule: ruleOfText(bounds), required }, absent, (text) => {
    const length = [...text].length;
    if (min !== undefined && length < min) return { problem: `must have at least ${min} characters` };
    if (max !== undefined && length > max) return { problem: `must have at most ${max} characters` };
    // NUL cannot be stored, so nothing could match it; Postgres would refuse the statement.
    if (text.includes("\0") || (pattern !== undefined && !pattern.test(text))) return { problem: "does not have the documented form" };
    return { value: text };
  });
}

function ruleOfText({ min = 0, max, pattern }: TextBounds): string {
  if (pattern !== undefined) return "A text of another form is refused with 400.";
  if (max !== undefined) return `${min} to ${max} characters; a longer text is refused with 400${min > 0 ? ", as is an empty one" : ""}.`;
  return min > 0 ? "An empty text is refused with 400." : "";
}

const OTHERS = "Other values are refused with 400; upper and lower case differ.";

export function enumParam<const V extends string>(values: readonly V[], fallback: NoInfer<V>): Param<V>;
export function enumParam<const V extends string>(values: readonly V[]): Param<V | null>;
export function enumParam<const V extends string>(values: readonly V[], fallback?: V): Param<V | null> {
  return oneOf(values, fallback, fallback ?? null, fallback === undefined ? OTHERS : `${fallback} when left out. ${OTHERS}`);
}

/** An enum that is documented with a default and null when absent: the handler applies the default, since another parameter may stand in. */
export function yieldingEnumParam<const V extends string>(values: readonly V[], documented: NoInfer<V>): Param<V | null> {
  return oneOf<V>(values, documented, null, OTHERS);
}

/** An enum that must be given. */
export function requiredEnumParam<const V extends string>(values: readonly V[]): Param<V> {
  const doc = { json: { type: "string", enum: values }, rule: OTHERS, required: true };
  return scalar<V>(doc, { problem: "is required" }, (text) => pick(values, text));
}

function oneOf<V extends string>(values: readonly V[], documented: V | undefined, absent: V | null, rule: string): Param<V | null> {
  const json = { type: "string", enum: values, ...(documented === undefined ? {} : { default: documented }) };
  return scalar<V | null>({ json, rule }, { value: absent }, (text) => pick(values, text));
}

function pick<V extends string>(values: readonly V[], text: string): Parsed<V> {
  const value = values.find((known) => known === text);
  return value === undefined ? { problem: `must be one of ${values.join(", ")}` } : { value };
}

/** The same parameter with the last value counting where its name is repeated, which is otherwise refused. */
export function lastValueOf<T>(param: Param<T>): Param<T> {
  const schema = z
    .array(z.string())
    .readonly()
    .optional()
    .transform((raw): readonly string[] | undefined => raw?.slice(-1))
    .pipe(param);
  docs.set(schema.def, docOf(param));
  return schema;
}

/** Parts to add to an answer: the name repeated, a comma list, or `name[]`. Values not known are left out, as are repeats. */
export function expandParam<const V extends string>(values: readonly V[]): Param<readonly V[]> {
  return declare<readonly V[]>(
    {
      json: { type: "array", items: { type: "string", enum: values } },
      required: false,
      list: true,
      rule: "Several: repeat the name, or put commas between them. Names that are not listed are ignored.",
    },
    (raw = []) => {
      const asked = new Set(raw.flatMap((text) => text.split(",")));
      return { value: values.filter((known) => asked.has(known)) };
    },
  );
}

/** Some of a list of names, in the list's own order: the name repeated, a comma list, or `name[]`; null when none is given. Other names are refused. */
export function enumListParam<const V extends string>(values: readonly V[]): Param<readonly V[] | null> {
  return declare<readonly V[] | null>(
    {
      json: { type: "array", items: { type: "string", enum: values } },
      required: false,
      list: true,
      rule: "Several: repeat the name, or put commas between them. Names that are not listed are refused with 400.",
    },
    (raw = []) => {
      const asked = raw.flatMap((text) => text.split(",")).filter((text) => text !== "");
      // `includes` takes only what the list can hold, which is the very question.
      const unknown = asked.find((text) => !(values as readonly string[]).includes(text));
      if (unknown !== undefined) return { problem: `must be of ${values.join(", ")}` };
      return { value: asked.length === 0 ? null : values.filter((known) => asked.includes(known)) };
    },
  );
}

/** Texts: the name repeated, a comma list, or `name[]`; null when none is given. Too many are refused. */
export function textListParam({ max }: { max: number }): Param<readonly string[] | null> {
  return declare<readonly string[] | null>(
    {
      json: { type: "array", items: { type: "string" }, maxItems: max },
      required: false,
      list: true,
      rule: `Several: repeat the name, or put commas between them. More than ${max} are refused with 400.`,
    },
    (raw = []) => {
      const given = raw.flatMap((text) => text.split(",")).filter((text) => text !== "");
      if (given.length > max) return { problem: `must name at most ${max}` };
      // NUL cannot be stored, so nothing could match it; Postgres would refuse the statement.
      if (given.some((text) => text.includes("\0"))) return { problem: "does not have the documented form" };
      return { value: given.length === 0 ? null : given };
    },
  );
}
