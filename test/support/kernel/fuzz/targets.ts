import fc, { type Arbitrary } from "fast-check";
import type { Parameter } from "./document.ts";
import { oneOf } from "./one-of.ts";
import { edgesOf, HOSTILE, mutationOf, valueOf } from "./values.ts";

/** What the database of the fuzzed API holds, so that requests can hit it. */
export interface KnownTexts {
  /** Values that a parameter of this name takes. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** By path: values that belong together there, in place of those above. */
  readonly ofPath: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** By the path of a list: the query of its second page. */
  readonly secondPages: Readonly<Record<string, string>>;
}

const UNDECLARED = ["token", "nonsense", "__proto__", "constructor", "limit", "cursor", "limit[]", "", "%zz", "%00", "%F0%9F%92%A9", "[]"];

/** As a client that knows how to escape sends it. */
const escaped = (text: string) => encodeURIComponent(text.toWellFormed());

/** A value as documented; where the document says no more than that it is a text, mostly one that the database knows. */
function fittingValue({ name, schema }: Parameter, { values }: KnownTexts): Arbitrary<string> {
  const documented = valueOf(schema).map((value) => escaped(Array.isArray(value) ? value.join(",") : String(value)));
  const known = values[name];
  return known === undefined ? documented : oneOf([1, documented], [4, fc.constantFrom(...known).map(escaped)]);
}

/** A value as it stands in the URL: at the edge of what fits, nearly so, another parameter's, or hostile. */
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

/** What stands in the URL for a parameter: its path segment, or its pairs of the query, none when it is not given. */
function fittingParts(parameter: Parameter, known: KnownTexts): Arbitrary<string[]> {
  const value = fittingValue(parameter, known);
  if (parameter.in === "path") return value.map((text) => [text]);
  const pair = value.map((text) => [`${parameter.name}=${text}`]);
  if (parameter.required) return pair;
  // A cursor fits no query but the one it was given out for.
  return parameter.name === "cursor" ? fc.constant([]) : oneOf<string[]>([1, pair], [2, fc.constant([])]);
}

/** The same with odd values: of a query's also twice, or under its other name. */
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

/** Path and query of a request to an operation, or nearly so. */
export function targetOf(path: string, all: readonly Parameter[], everything: KnownTexts): Arbitrary<string> {
  const known = { ...everything, values: { ...everything.values, ...everything.ofPath[path] } };
  const parameters = all.filter((parameter) => parameter.in !== "header");
  const fitting = parameters.map((parameter) => fittingParts(parameter, known));
  const odd = parameters.map((parameter) => oddParts(parameter, known));
  const assemble = (parts: readonly string[][], ...beside: readonly string[]) => {
    const segments = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parts[parameters.findIndex((one) => one.name === name)]?.[0] ?? "");
    const pairs = parts.flatMap((one, index) => (parameters[index]?.in === "query" ? one : []));
    const query = [...pairs, ...beside].join("&");
    return query === "" ? segments : `${segments}?${query}`;
  };
  const targets = (parts: readonly Arbitrary<string[]>[]) => fc.tuple(...parts).map((one) => assemble(one));
  const oneOdd = odd.map((one, index) => targets(fitting.with(index, one)));
  const beside = fc.tuple(fc.constantFrom(...UNDECLARED, ...HOSTILE), fc.constantFrom(...HOSTILE)).map((pair) => pair.join("="));
  const secondPage = known.secondPages[path];
  const anyPath = fc.array(fc.constantFrom("", "api", "v1", "health", ...HOSTILE), { maxLength: 5 });
  return oneOf<string>(
    [6, targets(fitting)],
    [oneOdd.length === 0 ? 0 : 10, fc.oneof(fc.constant(path), ...oneOdd)],
    [1, targets(odd)],
    [2, fc.tuple(fc.tuple(...fitting), beside).map(([parts, pair]) => assemble(parts, pair))],
    [secondPage === undefined ? 0 : 2, fc.integer({ min: 0, max: 200 }).map((limit) => `${path}?${secondPage}&limit=${limit}`)],
    [1, anyPath.map((parts) => `/${parts.join("/")}`)],
  );
}
