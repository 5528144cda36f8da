/** Which bytes of a file a request gets. */
export type RangeDecision =
  | { readonly kind: "whole" | "unsatisfiable" }
  | { readonly kind: "part"; readonly offset: number; readonly length: number };

const WHOLE: RangeDecision = { kind: "whole" };

/**
 * Decides a Range header (RFC 9110). Several ranges, and anything that is not a range of bytes, give the whole
 * file; so does an If-Range that does not name the file's strong ETag.
 */
export function decideRange(range: string | null, ifRange: string | null, etag: string, size: number): RangeDecision {
  const match = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(range ?? "");
  if (match === null || (ifRange !== null && ifRange !== etag)) return WHOLE;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return WHOLE;
  if (first === "") {
    const length = Math.min(size, Number(last));
    return length === 0 ? { kind: "unsatisfiable" } : { kind: "part", offset: size - length, length };
  }
  const offset = Number(first);
  if (last !== "" && Number(last) < offset) return WHOLE;
  if (offset >= size) return { kind: "unsatisfiable" };
  const end = last === "" ? size - 1 : Math.min(size - 1, Number(last));
  return { kind: "part", offset, length: end - offset + 1 };
}
