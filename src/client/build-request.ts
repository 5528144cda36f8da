import { OPERATIONS } from "./generated/operation-table.ts";
import type { OperationId } from "./operation-types.ts";

/** An operation's row of the table, parsed. */
export interface OperationFacts {
  readonly method: string;
  readonly path: string;
  readonly has: (trait: string) => boolean;
}

export function factsOf(id: OperationId): OperationFacts {
  const [method = "", path = "", traits = ""] = OPERATIONS[id].split(" ");
  return { method, path: path === "/" ? "" : path, has: (trait) => traits.includes(trait) };
}

export interface BuiltRequest {
  /** Path and query, after the base URL. */
  readonly target: string;
  readonly body: string | undefined;
}

/** @throws TypeError naming a path parameter without a value */
export function buildRequest({ path }: OperationFacts, params: Readonly<Record<string, unknown>>): BuiltRequest {
  const { body, ...others } = params;
  const rest: Record<string, unknown> = others;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    // An empty segment would be the path of another operation.
    if (value == null || value === "") throw new TypeError(`${name} is required`);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest))
    for (const one of Array.isArray(value) ? value : [value]) if (one != null) query.append(name, String(one));
  return {
    target: query.size === 0 ? filled : `${filled}?${query}`,
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}
