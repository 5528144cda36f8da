import { ApiError } from "../errors.ts";
import type { Operation } from "../operation.ts";

/**
 * The path parameters, decoded and parsed with the declared schemas.
 *
 * @throws ApiError invalid_path that names the segment
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
      throw new ApiError("invalid_path", {
        param: name,
        message: `The path segment ${name} is not valid: ${problem}.`,
      });
    }
    values[name] = parsed.data;
  }
  return values;
}

/** A declared path with its parameters replaced by the segments of a request's path. */
export function fillPath(path: string, pathname: string): string {
  const actual = pathname.split("/");
  // Both spellings of an alias have their parameters at the same index, counted from the end.
  const segments = path.split("/");
  return segments
    .map((segment, index) => (segment.startsWith("{") ? actual[actual.length - segments.length + index] : segment))
    .join("/");
}

function decodeSegment(raw: string, name: string): string {
  try {
    const text = decodeURIComponent(raw);
    if (!text.includes("\0")) return text;
  } catch {
    // Reported below, together with NUL characters.
  }
  throw new ApiError("invalid_path", { param: name, message: `The path segment ${name} cannot be decoded.` });
}
