import { z } from "zod";
import type { Operation } from "../../../src/api/operation.ts";
import { docOf } from "../../../src/api/request/query-params.ts";

export interface BuiltRequest {
  readonly path: string;
  /** For a POST only. */
  readonly body?: unknown;
}

/** The value of a path parameter, query parameter or body member, by name; undefined when there is none. */
export type ValueOf = (name: string, operation: Operation) => string | readonly string[] | undefined;

/**
 * A request built from an operation's declaration: every required name, and the optional names that have a
 * value.
 *
 * @param required gives values of required names @param offered gives values of optional names
 * @throws Error naming the operation, when a required name has no value
 */
export function registryRequestTo(operation: Operation, required: ValueOf, offered: ValueOf): BuiltRequest {
  const valueOf = (name: string) => {
    const value = required(name, operation);
    if (value === undefined) throw new Error(`${operation.id} requires ${name}, and there is no value for it`);
    return value;
  };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(valueOf(name))));
  const query = Object.entries(operation.query).flatMap(([name, param]) => {
    const value = docOf(param).required ? valueOf(name) : offered(name, operation);
    return value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`];
  });
  const target = [path, query.join("&")].filter((part) => part !== "").join("?");
  const body = operation.kind === "single" ? operation.body : undefined;
  return body === undefined ? { path: target } : { path: target, body: bodyOf(body, valueOf) };
}

/**
 * The same request as the arguments of a tool: a list parameter as an array, an integer as a number.
 *
 * @throws Error naming the operation, when a required name has no value
 */
export function toolArgumentsOf(operation: Operation, required: ValueOf, offered: ValueOf): Record<string, unknown> {
  const names = [...Object.keys(operation.params), ...Object.keys(operation.query), ...bodyNamesOf(operation)];
  const entries = names.flatMap((name) => {
    const param = operation.query[name];
    const isOptional = param !== undefined && !docOf(param).required;
    const value = isOptional ? offered(name, operation) : required(name, operation);
    if (value === undefined && !isOptional) throw new Error(`${operation.id} requires ${name}, without a value for it`);
    return value === undefined ? [] : [[name, typedValue(operation, name, value)] as const];
  });
  return Object.fromEntries(entries);
}

function typedValue({ params, query }: Operation, name: string, value: string | readonly string[]): unknown {
  const type = query[name] === undefined ? null : docOf(query[name]).json["type"];
  if (type === "array") return [value].flat().flatMap((text) => text.split(","));
  if (type === "integer" || type === "number") return Number(value);
  const segment = params[name];
  if (segment === undefined) return value;
  return z.toJSONSchema(segment, { io: "input", unrepresentable: "any" }).type === "integer" ? Number(value) : value;
}

function bodyNamesOf(operation: Operation): string[] {
  const body = operation.kind === "single" ? operation.body : undefined;
  return body === undefined ? [] : Object.keys(bodyOf(body, (name) => name) as object);
}

/** The members that a body requires. */
function bodyOf(schema: z.ZodType, valueOf: (name: string) => unknown): unknown {
  // Every body of the registry is an object; its members are schemas.
  const shape = (schema as z.ZodObject).shape as Record<string, z.ZodType>;
  const names = Object.keys(shape).filter((name) => shape[name]?.safeParse(undefined).success === false);
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}
