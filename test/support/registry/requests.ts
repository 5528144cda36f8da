import type { z } from "zod";
import type { Operation } from "../../../src/api/operation.ts";
import { docOf } from "../../../src/api/params.ts";

export interface BuiltRequest {
  readonly path: string;
  /** Of a POST. */
  readonly body?: unknown;
}

/** What stands for a path parameter, a query name or a body's member, by its name; undefined when nothing is known to. */
export type ValueOf = (name: string, operation: Operation) => string | readonly string[] | undefined;

/**
 * A request to an operation made from its declaration: all it requires, and what is known to stand for the names it leaves open.
 *
 * @param required stands for what must be given @param offered for what may be
 * @throws Error naming the operation, when it requires a name that nothing is known to stand for
 */
export function requestTo(operation: Operation, required: ValueOf, offered: ValueOf): BuiltRequest {
  const valueOf = (name: string) => {
    const value = required(name, operation);
    if (value === undefined) throw new Error(`${operation.id} requires ${name}, and nothing is known to stand for it`);
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

/** The members that a body must have. */
function bodyOf(schema: z.ZodType, valueOf: (name: string) => unknown): unknown {
  // Every body of the registry is an object; its members are schemas.
  const shape = (schema as z.ZodObject).shape as Record<string, z.ZodType>;
  const names = Object.keys(shape).filter((name) => shape[name]?.safeParse(undefined).success === false);
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}
