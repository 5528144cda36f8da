import { ApiError } from "./errors.ts";
import type { Operation } from "./operation.ts";

/**
 * The path's parameters, decoded and parsed by the declaration.
 *
 * @throws ApiError invalid_path naming the segment
 */
export function parsePath(operation: Operation, pathname: string): Record<string, unknown> {
  const pattern = operation.path.split("/");
  const actual = pathname.split("/");
  const values: Record<string, unknown> = {};
  for (const [index, segment] of pattern.entries()) {
    if (!segment.startsWith("{")) continue;
    const name = segment.slice(1, -1);
    const parsed = operation.params[name]?.safeParse(decodeSegment(actual[index] ?? "", name));
    if (parsed === undefined || !parsed.success) {
      const problem = parsed?.error.issues[0]?.message ?? "is not declared";
      throw new ApiError("invalid_path", { param: name, message: `The path segment ${name} is not valid: ${problem}.` });
    }
    values[name] = parsed.data;
  }
  return values;
}

/** A declared path with a request's own segments in place of its parameters. */
export function fillPath(path: string, pathname: string): string {
  const actual = pathname.split("/");
  // Both spellings of an alias have their parameters in the same places, counted from the end.
  const segments = path.split("/");
  return segments.map((segment, index) => (segment.startsWith("{") ? actual[actual.length - segments.length + index] : segment)).join("/");
}

function decodeSegment(raw: string, name: string): string {
  try {
    const text = decodeURIComponent(raw);
    if (!text.includes("\0")) return text;
  } catch {
    // Reported below with the other unreadable segments.
  }
  throw new ApiError("invalid_path", { param: name, message: `The path segment ${name} cannot be decoded.` });
}
