import fc, { type Arbitrary } from "fast-check";
import type { Parameter } from "./document.ts";
import { oneOf } from "./one-of.ts";
import { edgesOf, HOSTILE, mutationOf, valueOf } from "./values.ts";

/** Values from the database of the fuzzed API, so that requests can find rows. */
export interface KnownTexts {
  /** Values for a parameter of this name. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** By path: values that belong together there; they replace the values above. */
  readonly ofPath: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** By the path of a list: the query of its second page. */
  readonly secondPages: Readonly<Record<string, string>>;
}

const UNDECLARED = [
  "token",
  "nonsense",
  "__proto__",
  "constructor",
  "limit",
  "cursor",
  "limit[]",
  "",
  "%zz",
  "%00",
  "%F0%9F%92%A9",
  "[]",
];

/** The text as a correct client escapes it. */
const escaped = (text: string) => encodeURIComponent(text.toWellFormed());

/**
 * A documented value. Where the document only says that it is a string, mostly one that the database knows.
 */
function fittingValue({ name, schema }: Parameter, { values }: KnownTexts): Arbitrary<string> {
  const documented = valueOf(schema).map((value) => escaped(Array.isArray(value) ? value.join(",") : String(value)));
  const known = values[name];
  return known === undefined ? documented : oneOf([1, documented], [4, fc.constantFrom(...known).map(escaped)]);
}

/**
 * A value as it appears in the URL: at the edge of the schema, slightly wrong, of another parameter, or
 * hostile.
 */
function oddValue(parameter: Parameter, known: KnownTexts): Arbitrary<string> {
  const fitting = fittingValue(parameter, known);
  const others = fc.constantFrom(...Object.values(known.values).flat());
  return oneOf(
    [3, fc.constantFrom(...edgesOf(parameter.schema)).map(escaped)],
    [2, mutationOf(oneOf([1, fitting], [1, others])).map(escaped)],
    [1, others.map(escaped)],
    [6, fc.constantFrom(...HOSTILE)],
  );
}

/**
 * The URL parts of a parameter: its path segment or its query pairs; empty when the parameter is left out.
 */
function fittingParts(parameter: Parameter, known: KnownTexts): Arbitrary<string[]> {
  const value = fittingValue(parameter, known);
  if (parameter.in === "path") return value.map((text) => [text]);
  const pair = value.map((text) => [`${parameter.name}=${text}`]);
  if (parameter.required) return pair;
  // A cursor only fits the query that it was issued for.
  return parameter.name === "cursor" ? fc.constant([]) : oneOf<string[]>([1, pair], [2, fc.constant([])]);
}

/** The same with odd values; a query parameter may also appear twice or with array brackets. */
function oddParts(parameter: Parameter, known: KnownTexts): Arbitrary<string[]> {
  const value = oddValue(parameter, known);
  if (parameter.in === "path") return value.map((text) => [text]);
  const { name } = parameter;
  return oneOf<string[]>(
    [6, value.map((text) => [`${name}=${text}`])],
    [1, fc.tuple(value, fittingValue(parameter, known)).map((two) => two.map((text) => `${name}=${text}`))],
    [1, value.map((text) => [`${name}[]=${text}`])],
    [1, fc.constant([])],
  );
}

/** Path and query of a request to an operation, or slightly wrong ones. */
export function targetOf(path: string, all: readonly Parameter[], everything: KnownTexts): Arbitrary<string> {
  const known = { ...everything, values: { ...everything.values, ...everything.ofPath[path] } };
  const parameters = all.filter((parameter) => parameter.in !== "header");
  const fitting = parameters.map((parameter) => fittingParts(parameter, known));
  const odd = parameters.map((parameter) => oddParts(parameter, known));
  const assemble = (parts: readonly string[][], ...extras: readonly string[]) => {
    const segments = path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => parts[parameters.findIndex((one) => one.name === name)]?.[0] ?? "",
    );
    const pairs = parts.flatMap((one, index) => (parameters[index]?.in === "query" ? one : []));
    const query = [...pairs, ...extras].join("&");
    return query === "" ? segments : `${segments}?${query}`;
  };
  const targets = (parts: readonly Arbitrary<string[]>[]) => fc.tuple(...parts).map((one) => assemble(one));
  const oneOdd = odd.map((one, index) => targets(fitting.with(index, one)));
  const anyExtra = fc
    .tuple(fc.constantFrom(...UNDECLARED, ...HOSTILE), fc.constantFrom(...HOSTILE))
    .map((pair) => pair.join("="));
  const secondPage = known.secondPages[path];
  const anyPath = fc.array(fc.constantFrom("", "api", "v1", "health", ...HOSTILE), { maxLength: 5 });
  return oneOf<string>(
    [6, targets(fitting)],
    [oneOdd.length === 0 ? 0 : 10, fc.oneof(fc.constant(path), ...oneOdd)],
    [1, targets(odd)],
    [2, fc.tuple(fc.tuple(...fitting), anyExtra).map(([parts, pair]) => assemble(parts, pair))],
    [
      secondPage === undefined ? 0 : 2,
      fc.integer({ min: 0, max: 200 }).map((limit) => `${path}?${secondPage}&limit=${limit}`),
    ],
    [1, anyPath.map((parts) => `/${parts.join("/")}`)],
  );
}
