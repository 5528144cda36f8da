export type CanonicalValue =
  | string
  | number
  | null
  | readonly CanonicalValue[]
  | { readonly [key: string]: CanonicalValue };

/**
 * Compact JSON with the keys of every object in ascending order. All keys are ASCII. Equal to RFC 8785 for
 * these values.
 *
 * @throws RangeError for a number that is not a safe integer, and for text that is not valid Unicode
 */
export function canonicalJson(value: CanonicalValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(",")}}`;
  }
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new RangeError("the number is not exact");
  if (typeof value === "string" && !value.isWellFormed()) throw new RangeError("the text is not valid Unicode");
  return JSON.stringify(value);
}
