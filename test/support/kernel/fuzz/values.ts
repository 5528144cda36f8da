import fc, { type Arbitrary } from "fast-check";
import { DOCUMENT, type DocumentSchema } from "./document.ts";

/** A value that a schema allows. */
export function valueOf(schema: DocumentSchema): Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valueOf(DOCUMENT.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return fc.oneof(...alternatives.map(valueOf));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type: string) => valueOf({ ...schema, type })));
  switch (schema.type) {
    case "integer":
      return fc.integer({ min: schema.minimum ?? -10, max: schema.maximum ?? 2_000_000_000 });
    case "number":
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e9, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valueOf(schema.items ?? {}), { maxLength: Math.min(4, schema.maxItems ?? 4) });
    case "object":
      return objectOf(schema);
    case "string":
      return textOf(schema);
    default:
      return fc.jsonValue();
  }
}

function objectOf({ properties = {}, required = [] }: DocumentSchema): Arbitrary<unknown> {
  const model = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(schema)]));
  return fc.record(model, { requiredKeys: [...required] });
}

function textOf({ format, pattern, minLength = 0, maxLength = 40 }: DocumentSchema): Arbitrary<string> {
  if (format === "date-time")
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") })
      .map((at) => at.toISOString());
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: "grapheme", minLength, maxLength: Math.min(40, maxLength) });
}

/** The limits of what a schema allows and the values just beyond them, as strings. */
export function edgesOf({ minimum, maximum, minLength, maxLength }: DocumentSchema): string[] {
  const around = [minimum, maximum]
    .filter((edge) => edge !== undefined)
    .flatMap((edge) => [edge - 1, edge, edge + 1, edge + 0.5]);
  const lengths = [minLength, maxLength]
    .filter((edge) => edge !== undefined)
    .flatMap((edge) => [edge - 1, edge, edge + 1]);
  const huge = [
    Number.MAX_SAFE_INTEGER,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    1e300,
    -0,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ];
  return [
    "",
    ...around.map(String),
    ...huge.map(String),
    ...lengths.filter((length) => length >= 0).map((length) => "x".repeat(length)),
  ];
}

/** Raw URL text: broken escapes, separators, injections, other scripts, excessive lengths. */
export const HOSTILE: readonly string[] = [
  "%",
  "%zz",
  "%00",
  "a%00b",
  "%ED%A0%80",
  "%F4%90%80%80",
  "%2F",
  "..",
  "//",
  "?",
  "#",
  "&",
  "%2525",
  "%0d%0aSet-Cookie:a=b",
  "%27%3B%20drop%20table%20accounts%3B--",
  "%25_%5C",
  "null",
  "NaN",
  "__proto__",
  "constructor",
  "%E2%80%AE",
  "%F0%9F%92%A9",
  "İ",
  "0x",
  "-1",
  "1e300",
  "-1e300",
  "1,2",
  "9223372036854775808",
  "9".repeat(400),
  "mkt_9223372036854775808",
  "trd_99999999999",
  "wt_99999999999",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999999-23:59",
  "%F0%9F%92%A9".repeat(600),
];

/** The text with one character inserted, removed or replaced. */
export function mutationOf(text: Arbitrary<string>): Arbitrary<string> {
  return fc
    .tuple(
      text,
      fc.nat(),
      fc.constantFrom(0, 1),
      fc.oneof(fc.constant(""), fc.string({ unit: "binary", maxLength: 1 })),
    )
    .map(([whole, position, cut, put]) => {
      const index = whole.length === 0 ? 0 : position % whole.length;
      return whole.slice(0, index) + put + whole.slice(index + cut);
    });
}
