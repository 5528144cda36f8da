import type { Json } from "../protocol/json-rpc.ts";
import { judgesAge, MAX_AGE_ARGUMENT, type ToolOperation } from "./tool.ts";

/** The REST request with the same meaning as a tool call. */
export interface RestRequest {
  /** Path and query. */
  readonly target: string;
  /** The JSON body; null without one. */
  readonly body: string | null;
}

/** @param args checked against the tool's schema */
export function buildRequest(operation: ToolOperation, args: Json): RestRequest {
  const { path, params, query } = operation;
  const takesBody = operation.kind === "single" && operation.body !== undefined;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(args[name]));
  const pairs: string[] = [];
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    if (Object.hasOwn(params, name) || (name === MAX_AGE_ARGUMENT && !judgesAge(operation))) continue;
    if (takesBody && !Object.hasOwn(query, name)) body[name] = value;
    else for (const one of [value].flat()) pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`);
  }
  return {
    target: pairs.length === 0 ? filled : `${filled}?${pairs.join("&")}`,
    body: takesBody ? JSON.stringify(body) : null,
  };
}

/** A URL removes the segments `.` and `..`, also when they are percent-encoded. No id has these forms. */
function encodeSegment(value: unknown): string {
  const text = String(value);
  return text === "." || text === ".." ? `${text}%20` : encodeURIComponent(text);
}
