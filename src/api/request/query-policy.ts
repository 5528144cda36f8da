import { LRUCache } from "lru-cache";
import { ApiError } from "../errors.ts";
import { takesCursor, type Operation } from "../operation.ts";
import { docOf } from "./query-params.ts";

export interface AppliedQuery {
  /** The declared parameters, parsed. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The cursor as sent, not yet verified; null on the first page and on operations that do not page. */
  readonly cursor: string | null;
  /** Ignored names, as sent. */
  readonly ignored: readonly string[];
  /** The sent names and values that took effect, form-urlencoded. */
  readonly effective: string;
  /**
   * Every filter in effect, including defaults, without page size and cursor. A cursor is bound to this text.
   */
  readonly filters: string;
}

interface QueryPair {
  /** Decoded; as sent when its percent escapes are invalid. */
  readonly name: string;
  /** Null when its percent escapes are invalid. */
  readonly value: string | null;
}

const MAX_QUERIES = 20;
/** A longer query is parsed each time, so that the queries of an operation take at most some kilobytes. */
const MAX_QUERY_LENGTH = 500;

const appliedByOperation = new WeakMap<Operation, LRUCache<string, AppliedQuery>>();

/**
 * Parses the raw query according to an operation's declaration. The result depends on nothing else, so recent ones are
 * remembered.
 *
 * @param strict refuses unpublished names, before any value is checked
 * @throws ApiError invalid_query that names the parameter, unknown_query_parameter in strict mode
 */
export function applyQuery(operation: Operation, rawQuery: string, strict: boolean): AppliedQuery {
  if (rawQuery.length > MAX_QUERY_LENGTH) return parseQuery(operation, rawQuery, strict);
  let recent = appliedByOperation.get(operation);
  if (recent === undefined) appliedByOperation.set(operation, (recent = new LRUCache({ max: MAX_QUERIES })));
  const key = `${strict} ${rawQuery}`;
  let applied = recent.get(key);
  if (applied === undefined) recent.set(key, (applied = parseQuery(operation, rawQuery, strict)));
  return applied;
}

function parseQuery(operation: Operation, rawQuery: string, strict: boolean): AppliedQuery {
  const pairs = readPairs(rawQuery);
  const accepted = acceptedNames(operation);
  const ignored = [...new Set(pairs.filter(({ name }) => !accepted.has(name)).map(({ name }) => name))];
  if (strict && ignored[0] !== undefined) {
    const names = [...accepted.keys()].join(", ");
    const message = names === "" ? "This operation accepts no query parameters." : `This operation accepts ${names}.`;
    throw new ApiError("unknown_query_parameter", { param: ignored[0], message });
  }
  const raw = new Map<string, string[]>();
  for (const { name, value } of pairs) {
    const canonical = accepted.get(name);
    if (canonical === undefined) continue;
    if (value === null)
      throw new ApiError("invalid_query", { param: canonical, message: `${canonical} has an invalid percent escape.` });
    raw.set(canonical, [...(raw.get(canonical) ?? []), value]);
  }
  const values = parseValues(operation, raw);
  const cursors = raw.get("cursor");
  if (cursors !== undefined && cursors.length > 1)
    throw new ApiError("invalid_query", { param: "cursor", message: "cursor is given more than once." });
  const cursor = cursors?.[0] ?? null;
  return {
    values,
    cursor: cursor === "" ? null : cursor,
    ignored,
    effective: presentEffective(raw, values),
    filters: JSON.stringify(Object.entries(values).filter(([name]) => name !== "limit")),
  };
}

function readPairs(rawQuery: string): QueryPair[] {
  return rawQuery
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const equals = pair.indexOf("=");
      const rawName = equals === -1 ? pair : pair.slice(0, equals);
      return { name: decode(rawName) ?? rawName, value: decode(equals === -1 ? "" : pair.slice(equals + 1)) };
    });
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

const acceptedNamesByOperation = new WeakMap<Operation, ReadonlyMap<string, string>>();

/** The canonical name of each accepted spelling. Computed by the first request of an operation. */
function acceptedNames(operation: Operation): ReadonlyMap<string, string> {
  const known = acceptedNamesByOperation.get(operation);
  if (known !== undefined) return known;
  const names = new Map<string, string>();
  for (const [name, param] of Object.entries(operation.query)) {
    names.set(name, name);
    if (docOf(param).list) names.set(`${name}[]`, name);
  }
  if (takesCursor(operation)) names.set("cursor", "cursor");
  acceptedNamesByOperation.set(operation, names);
  return names;
}

function parseValues(operation: Operation, raw: ReadonlyMap<string, readonly string[]>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(operation.query)) {
    const parsed = param.safeParse(raw.get(name));
    if (!parsed.success) {
      throw new ApiError("invalid_query", {
        param: name,
        message: `${name} ${parsed.error.issues[0]?.message ?? "is not valid"}.`,
      });
    }
    values[name] = parsed.data;
  }
  return values;
}

function presentEffective(
  raw: ReadonlyMap<string, readonly string[]>,
  values: Readonly<Record<string, unknown>>,
): string {
  const effective = new URLSearchParams();
  for (const [name, sent] of raw) {
    if (name === "cursor") effective.append(name, sent[0] ?? "");
    else for (const text of presentValue(values[name])) effective.append(name, text);
  }
  return effective.toString();
}

function presentValue(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.map(String);
  return [value instanceof Date ? value.toISOString() : String(value)];
}
