import { z } from "zod";
import { parseDate } from "../../scoring/utc-calendar.ts";

/** A query parameter's description for the OpenAPI document and the query report. */
export interface ParamDoc {
  readonly json: Record<string, unknown>;
  readonly required: boolean;
  /** Whether the name may be repeated; `name[]` is then an alias. */
  readonly list: boolean;
  /** Sentences on the default and on invalid values. Empty where every text is accepted. */
  readonly rule: string;
}

/** Parses the raw values of one parameter name (undefined when absent) into the typed value. */
export type Param<T> = z.ZodType<T, readonly string[] | undefined>;

/** The copy that `.meta()` returns inherits the entry of its original. */
const docs = z.registry<ParamDoc>();

export function docOf(param: z.ZodType): ParamDoc {
  const doc = docs.get(param);
  if (doc === undefined) throw new Error("a query parameter must be declared with src/api/request/query-params.ts");
  return doc;
}

type ParseResult<T> = { readonly value: T } | { readonly problem: string };

function declare<T>(doc: ParamDoc, parse: (raw: readonly string[] | undefined) => ParseResult<T>): Param<T> {
  const schema = z
    .array(z.string())
    .readonly()
    .optional()
    .transform((raw, context): T => {
      const parsed =
        doc.list || raw === undefined || raw.length === 1 ? parse(raw) : { problem: "is given more than once" };
      if ("value" in parsed) return parsed.value;
      context.addIssue({ code: "custom", message: parsed.problem });
      return z.NEVER;
    });
  docs.add(schema, doc);
  return schema;
}

/**
 * Description and example of a parameter for the OpenAPI document: the text of `.meta()`, then the parsing
 * rule.
 */
export function describeParam(param: z.ZodType): { readonly description: string; readonly example: unknown } {
  const { description = "", example } = param.meta() ?? {};
  return { description: [description, docOf(param).rule].filter((part) => part !== "").join(" "), example };
}

const REFUSED = "Anything else is refused with 400.";

function scalar<T>(
  doc: { readonly json: Record<string, unknown>; readonly rule: string; readonly required?: boolean },
  absent: ParseResult<T>,
  parse: (text: string) => ParseResult<T>,
): Param<T> {
  return declare({ required: false, ...doc, list: false }, (raw) => (raw === undefined ? absent : parse(raw[0] ?? "")));
}

/** A page size. */
export const limitParam = (bounds: { max: number; default: number }): Param<number> =>
  clampedIntegerParam(bounds).meta({ description: "Maximum number of items per page.", example: bounds.default });

/** An integer from 1. One outside the range is clamped, not refused. */
export function clampedIntegerParam({ max, default: fallback }: { max: number; default: number }): Param<number> {
  return scalar(
    {
      json: { type: "integer", minimum: 1, maximum: max, default: fallback },
      rule: `Default ${fallback}. An integer outside 1 to ${max} is clamped; anything else is refused with 400.`,
    },
    { value: fallback },
    (text) =>
      /^[+-]?\d+$/.test(text) ? { value: Math.min(max, Math.max(1, Number(text))) } : { problem: "must be an integer" },
  );
}

/**
 * The pagination cursor. The kernel adds it to lists; only an operation that parses its cursors itself
 * declares it.
 *
 * @param prefix the prefix of the cursors it accepts
 * @param expiresWithFilters whether a cursor for other filters returns `cursor_expired` instead of
 *   `invalid_query`
 */
export function cursorParam(prefix: string, expiresWithFilters = false): Param<string | null> {
  const refusals = expiresWithFilters
    ? "A cursor of another list is refused with 400 `invalid_query`. A cursor of other filters, or of a list that " +
      "has been replaced, is refused with 400 `cursor_expired`: request the first page again."
    : "A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that " +
      "has been replaced is refused with 400 `cursor_expired`: request the first page again.";
  const meaning =
    "The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page.";
  return textParam().meta({
    description: `${meaning} ${refusals}`,
    example: `${prefix}eyJleGFtcGxlIjoxfQ.c2lnbmVk`,
  });
}

interface NumberBounds {
  readonly min?: number;
  readonly max?: number;
  readonly integer?: boolean;
}

export function numberParam(
  bounds: (NumberBounds & { default: number }) | (NumberBounds & { required: true }),
): Param<number>;
export function numberParam(bounds?: NumberBounds): Param<number | null>;
export function numberParam(bounds: NumberBounds & { default?: number; required?: true } = {}): Param<number | null> {
  const { min, max, integer = false, default: fallback, required = false } = bounds;
  const json = {
    type: integer ? "integer" : "number",
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
  const doc = { json, rule: numberRule(bounds), required };
  return scalar<number | null>(doc, required ? { problem: "is required" } : { value: fallback ?? null }, (text) => {
    const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : Number.NaN;
    if (!Number.isFinite(value) || (integer && !Number.isSafeInteger(value)))
      return { problem: `must be ${integer ? "an integer" : "a number"}` };
    if (min !== undefined && value < min) return { problem: `must be at least ${min}` };
    if (max !== undefined && value > max) return { problem: `must be at most ${max}` };
    return { value };
  });
}

function numberRule({ min, max, integer = false, default: fallback }: NumberBounds & { default?: number }): string {
  const kind = integer ? "An integer" : "A number";
  const range =
    min !== undefined && max !== undefined ? ` from ${min} to ${max}` : min === undefined ? "" : `, ${min} or more`;
  return `${kind}${range}${fallback === undefined ? "" : `; default ${fallback}`}. ${REFUSED}`;
}

/**
 * A number that is documented with a default but parsed as null when absent: the handler applies the default,
 * because another parameter may change it.
 */
export function numberParamWithDocumentedDefault(documented: number): Param<number | null> {
  const schema = numberParam();
  const doc = docOf(schema);
  docs.add(schema, { ...doc, json: { ...doc.json, default: documented } });
  return schema;
}

/** An integer from 0 that is never 1: a factor, of which 0 is none. */
export function factorParam({ max }: { max: number }): Param<number> {
  const bounds = { min: 0, max, integer: true, default: 0 };
  const schema = numberParam(bounds).refine((value) => value !== 1, "must be 0, or 2 or more");
  const { json, required, list } = docOf(numberParam(bounds));
  const rule = `0 is no filter, else an integer from 2 to ${max}; default 0. ${REFUSED}`;
  docs.add(schema, { json: { ...json, not: { const: 1 } }, required, list, rule });
  return schema;
}

/**
 * A number that is documented as number or string: clients may send it with an exponent or in decimal
 * notation.
 */
export function numberOrStringParam(bounds: NumberBounds): Param<number | null> {
  const schema = numberParam(bounds);
  const doc = docOf(schema);
  docs.add(schema, { ...doc, json: { oneOf: [doc.json, { type: "string" }] } });
  return schema;
}

export function booleanParam(fallback: boolean): Param<boolean> {
  const rule = `true or 1, false or 0; default ${fallback}. ${REFUSED}`;
  return scalar({ json: { type: "boolean", default: fallback }, rule }, { value: fallback }, (text) =>
    text === "true" || text === "1"
      ? { value: true }
      : text === "false" || text === "0"
        ? { value: false }
        : { problem: "must be true or false" },
  );
}

/**
 * An RFC 3339 date-time with UTC offset, in the years 1 to 9999, which Postgres and every client can
 * represent.
 */
export function instantParam(bounds: { required: true }): Param<Date>;
export function instantParam(): Param<Date | null>;
export function instantParam({ required = false }: { required?: boolean } = {}): Param<Date | null> {
  const absent: ParseResult<Date | null> = required ? { problem: "is required" } : { value: null };
  const rule = `An RFC 3339 date-time with UTC offset. ${REFUSED}`;
  return scalar<Date | null>({ json: { type: "string", format: "date-time" }, rule, required }, absent, parseInstant);
}

function parseInstant(text: string): ParseResult<Date> {
  const shape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;
  const value = shape.test(text) ? new Date(text) : null;
  if (value === null || Number.isNaN(value.getTime())) return { problem: "must be an RFC 3339 date-time" };
  // The UTC offset can move the instant into an adjacent year.
  const year = value.getUTCFullYear();
  return year < 1 || year > 9_999 ? { problem: "must be in the years 1 to 9999" } : { value };
}

/** A UTC date, YYYY-MM-DD, that exists. */
export function dateParam(): Param<string | null> {
  const rule = `A calendar date, YYYY-MM-DD. ${REFUSED}`;
  return scalar<string | null>({ json: { type: "string", format: "date" }, rule }, { value: null }, (text) => {
    // Postgres has no year 0.
    return parseDate(text) !== null && !text.startsWith("0000")
      ? { value: text }
      : { problem: "must be a date, YYYY-MM-DD" };
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
  const absent: ParseResult<string | null> = required ? { problem: "is required" } : { value: null };
  return scalar<string | null>({ json, rule: textRule(bounds), required }, absent, (text) => {
    const length = [...text].length;
    if (min !== undefined && length < min) return { problem: `must have at least ${min} characters` };
    if (max !== undefined && length > max) return { problem: `must have at most ${max} characters` };
    // Postgres cannot store NUL: no row could match, and the statement would fail.
    if (text.includes("\0") || (pattern !== undefined && !pattern.test(text)))
      return { problem: "does not have the documented format" };
    return { value: text };
  });
}

function textRule({ min = 0, max, pattern }: TextBounds): string {
  if (pattern !== undefined) return "Text in another format is refused with 400.";
  if (max !== undefined)
    return `${min} to ${max} characters; a longer text is refused with 400${min > 0 ? ", as is an empty one" : ""}.`;
  return min > 0 ? "An empty text is refused with 400." : "";
}

const UNKNOWN_REFUSED = "Other values are refused with 400; values are case-sensitive.";

export function enumParam<const V extends string>(values: readonly V[], fallback: NoInfer<V>): Param<V>;
export function enumParam<const V extends string>(values: readonly V[]): Param<V | null>;
export function enumParam<const V extends string>(values: readonly V[], fallback?: V): Param<V | null> {
  return oneOf(
    values,
    fallback,
    fallback ?? null,
    fallback === undefined ? UNKNOWN_REFUSED : `Default ${fallback}. ${UNKNOWN_REFUSED}`,
  );
}

/**
 * An enum that is documented with a default but parsed as null when absent: the handler applies the default,
 * because another parameter may replace it.
 */
export function enumParamWithDocumentedDefault<const V extends string>(
  values: readonly V[],
  documented: NoInfer<V>,
): Param<V | null> {
  return oneOf<V>(values, documented, null, UNKNOWN_REFUSED);
}

/** One of a list of values that is open to readers: another value is accepted, and matches nothing. */
export function listedTextParam(values: readonly string[]): Param<string | null> {
  const json = { type: "string", enum: values };
  return scalar<string | null>({ json, rule: "" }, { value: null }, (text) => ({ value: text }));
}

/** A required enum. */
export function requiredEnumParam<const V extends string>(values: readonly V[]): Param<V> {
  const doc = { json: { type: "string", enum: values }, rule: UNKNOWN_REFUSED, required: true };
  return scalar<V>(doc, { problem: "is required" }, (text) => pick(values, text));
}

function oneOf<V extends string>(
  values: readonly V[],
  documented: V | undefined,
  absent: V | null,
  rule: string,
): Param<V | null> {
  const json = { type: "string", enum: values, ...(documented === undefined ? {} : { default: documented }) };
  return scalar<V | null>({ json, rule }, { value: absent }, (text) => pick(values, text));
}

function pick<V extends string>(values: readonly V[], text: string): ParseResult<V> {
  const value = values.find((known) => known === text);
  return value === undefined ? { problem: `must be one of ${values.join(", ")}` } : { value };
}

/**
 * The same parameter, but the last value counts when the name is repeated. Other parameters refuse a
 * repetition.
 */
export function lastValueOf<T>(param: Param<T>): Param<T> {
  const schema = z
    .array(z.string())
    .readonly()
    .optional()
    .transform((raw): readonly string[] | undefined => raw?.slice(-1))
    .pipe(param);
  docs.add(schema, docOf(param));
  return schema;
}

const SEVERAL_VALUES = "For several values repeat the parameter or separate them with commas.";

/**
 * Optional parts of a response: the name repeated, a comma-separated list, or `name[]`. Unknown and repeated
 * values are ignored.
 */
export function expandParam<const V extends string>(values: readonly V[]): Param<readonly V[]> {
  return declare<readonly V[]>(
    {
      json: { type: "array", items: { type: "string", enum: values } },
      required: false,
      list: true,
      rule: `${SEVERAL_VALUES} Unknown values are ignored.`,
    },
    (raw = []) => {
      const requested = new Set(raw.flatMap((text) => text.split(",")));
      return { value: values.filter((known) => requested.has(known)) };
    },
  );
}

/**
 * Several enum values, in the order of `values`: the name repeated, a comma-separated list, or `name[]`; null
 * when none is given. Unknown values are refused.
 */
export function enumListParam<const V extends string>(values: readonly V[]): Param<readonly V[] | null> {
  return declare<readonly V[] | null>(
    {
      json: { type: "array", items: { type: "string", enum: values } },
      required: false,
      list: true,
      rule: `${SEVERAL_VALUES} Unknown values are refused with 400.`,
    },
    (raw = []) => {
      const requested = raw.flatMap((text) => text.split(",")).filter((text) => text !== "");
      // The cast is safe: `includes` of a narrow tuple accepts only its members, and membership is what is
      // tested.
      const unknown = requested.find((text) => !(values as readonly string[]).includes(text));
      if (unknown !== undefined) return { problem: `must be among ${values.join(", ")}` };
      return { value: requested.length === 0 ? null : values.filter((known) => requested.includes(known)) };
    },
  );
}

/**
 * Several enum values as one comma-separated text, in the order of `values`; null when none is given, and for
 * `all`. Unknown values are refused.
 */
export function csvEnumParam<const V extends string>(values: readonly V[]): Param<readonly V[] | null> {
  const rule = `Separate several values with commas: ${values.join(", ")}. \`all\` is no filter. ${UNKNOWN_REFUSED}`;
  return scalar<readonly V[] | null>({ json: { type: "string" }, rule }, { value: null }, (text) => {
    const requested = text.split(",").filter((part) => part !== "");
    if (requested.includes("all")) return { value: null };
    const unknown = requested.find((part) => !values.some((known) => known === part));
    if (unknown !== undefined) return { problem: `must be among ${values.join(", ")}, all` };
    return { value: requested.length === 0 ? null : values.filter((known) => requested.includes(known)) };
  });
}

/**
 * Texts: the name repeated, a comma-separated list, or `name[]`; null when none is given. More than `max` are
 * refused.
 */
export function textListParam({ max }: { max: number }): Param<readonly string[] | null> {
  return declare<readonly string[] | null>(
    {
      json: { type: "array", items: { type: "string" }, maxItems: max },
      required: false,
      list: true,
      rule: `${SEVERAL_VALUES} More than ${max} are refused with 400.`,
    },
    (raw = []) => {
      const texts = raw.flatMap((text) => text.split(",")).filter((text) => text !== "");
      if (texts.length > max) return { problem: `must have at most ${max} values` };
      // Postgres cannot store NUL: no row could match, and the statement would fail.
      if (texts.some((text) => text.includes("\0"))) return { problem: "does not have the documented format" };
      return { value: texts.length === 0 ? null : texts };
    },
  );
}

/**
 * Texts of one format: the name repeated, a comma-separated list, or `name[]`; null when the name is absent. A blank
 * value is refused: it must not count as no filter.
 */
export function patternListParam({ max, pattern }: { max: number; pattern: RegExp }): Param<readonly string[] | null> {
  return declare<readonly string[] | null>(
    {
      json: { type: "array", items: { type: "string", pattern: pattern.source }, maxItems: max },
      required: false,
      list: true,
      rule: `${SEVERAL_VALUES} More than ${max}, and text in another format, are refused with 400.`,
    },
    (raw) => {
      if (raw === undefined) return { value: null };
      const texts = raw.flatMap((text) => text.split(","));
      if (texts.length > max) return { problem: `must have at most ${max} values` };
      return texts.every((text) => pattern.test(text))
        ? { value: texts }
        : { problem: "does not have the documented format" };
    },
  );
}
