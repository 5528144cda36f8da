/*
 * JSON with whole numbers beyond the safe integers: such a number is read as a bigint and written as it is.
 * The snapshot ids of Iceberg have 63 bits.
 */

// The context of a reviver and `rawJSON` are in the runtimes, but not yet in the types.
const parse = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object };

/** @throws SyntaxError for text that is not JSON */
export const parseExactJson = (text: string): unknown =>
  parse(text, (_, value, { source }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value,
  );

export const stringifyExactJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? rawJSON(String(member)) : member));
