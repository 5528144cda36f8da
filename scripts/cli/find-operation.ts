import { factsOf } from "../../src/client/build-request.ts";
import { OPERATIONS } from "../../src/client/generated/operation-table.ts";
import type { OperationId } from "../../src/client/index.ts";
import { UsageError } from "./exit-codes.ts";

export interface FoundOperation {
  readonly id: OperationId;
  readonly params: Readonly<Record<string, string | readonly string[]>>;
}

// Object.keys loses the type of the keys.
const IDS = Object.keys(OPERATIONS) as OperationId[];

/** The reads that `get` can run. */
export const READ_IDS: readonly OperationId[] = IDS.filter((id) => {
  const { method, has } = factsOf(id);
  return method === "GET" && !has("e") && !has("x");
});

/**
 * Finds an operation by its id or by a path, with or without /api/v1 and a query.
 *
 * @param pairs parameters as NAME=VALUE; a repeated name has several values
 * @throws UsageError
 */
export function findOperation(target: string, pairs: readonly string[]): FoundOperation {
  const byName = target.startsWith("/") ? findByPath(target) : { id: findById(target), params: [] };
  const params = new Map<string, string | readonly string[]>();
  for (const [name, value] of [...byName.params, ...pairs.map(parsePair)]) {
    const earlier = params.get(name);
    params.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  return { id: byName.id, params: Object.fromEntries(params) };
}

function findById(text: string): OperationId {
  const id = READ_IDS.find((candidate) => candidate.toLowerCase() === text.replaceAll("-", "").toLowerCase());
  if (id === undefined) throw new UsageError(`There is no read operation ${text}. \`activity get\` lists them.`);
  return id;
}

function findByPath(target: string): { id: OperationId; params: [string, string][] } {
  const url = new URL(target, "http://path");
  const path = url.pathname.replace(/^\/api\/v1(?=\/|$)/, "");
  // An exact path goes before one with a parameter: /large-trades/history before /large-trades/{id}.
  const byFewestParameters = READ_IDS.toSorted(
    (a, b) => namesIn(factsOf(a).path).length - namesIn(factsOf(b).path).length,
  );
  for (const id of byFewestParameters) {
    const template = factsOf(id).path;
    const pattern = new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "([^/]+)")}/?$`);
    const match = pattern.exec(path);
    if (match === null) continue;
    const inPath = namesIn(template).map((name, n): [string, string] => [name, decodeURIComponent(match[n + 1] ?? "")]);
    return { id, params: [...inPath, ...url.searchParams] };
  }
  throw new UsageError(`No read operation has the path ${target}. \`activity get\` lists them.`);
}

const namesIn = (template: string): string[] => [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

function parsePair(pair: string): [string, string] {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(pair) ?? [];
  if (name === undefined || value === undefined) throw new UsageError(`${pair} is not NAME=VALUE.`);
  return [name, value];
}
