import { z } from "zod";
import { fromBase64Url, hmacSha256, toBase64Url } from "../lib/hmac.ts";
import { ApiError } from "./errors.ts";

/** What a cursor is good for: one list, one set of filters. */
export interface CursorBinding {
  readonly secret: string;
  readonly prefix: string;
  /** The operation's id; an alias shares its target's. */
  readonly list: string;
  readonly filters: string;
  /** Set where the filters stand inside and are no part of the signature, so that a cursor of other ones is told from one that is none of ours. */
  readonly expiresWithFilters?: true;
}

/** What stands in a cursor that expires with its filters. */
const FiltersAndPosition = z.tuple([z.string(), z.unknown()]);

const SIGNATURE_BYTES = 16;
const OTHER_FILTERS = { param: "cursor", message: "The cursor was given out under other filters." };
const INVALID = { param: "cursor", message: "The cursor is not one that this list and these filters gave out." };

/** The same position always gives the same cursor, so an unchanged page keeps its ETag. */
export async function signCursor(binding: CursorBinding, position: unknown): Promise<string> {
  const inside = binding.expiresWithFilters ? [binding.filters, position] : position;
  const encoded = toBase64Url(new TextEncoder().encode(JSON.stringify(inside)));
  return `${binding.prefix}${encoded}.${await sign(binding, encoded)}`;
}

/** @throws ApiError invalid_query when the cursor is mangled, or belongs to another list or other filters (where it expires with them: cursor_expired) */
export async function openCursor<S extends z.ZodType>(binding: CursorBinding, cursor: string, position: S): Promise<z.output<S>> {
  const [encoded = "", signature, ...rest] = cursor.startsWith(binding.prefix) ? cursor.slice(binding.prefix.length).split(".") : [];
  if (signature === undefined || rest.length > 0 || !equal(await sign(binding, encoded), signature))
    throw new ApiError("invalid_query", INVALID);
  const bytes = fromBase64Url(encoded);
  const inside: unknown = bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes));
  const [filters, place] = binding.expiresWithFilters ? (FiltersAndPosition.safeParse(inside).data ?? []) : [binding.filters, inside];
  const parsed = position.safeParse(place);
  // Signed by us, but by an older release whose positions had another form.
  if (!parsed.success) throw new ApiError("cursor_expired", { param: "cursor" });
  if (filters !== binding.filters) throw new ApiError("cursor_expired", OTHER_FILTERS);
  return parsed.data;
}

// Over the encoded text: several texts decode to the same position, and only the one we gave out is a cursor.
async function sign({ secret, prefix, list, filters, expiresWithFilters }: CursorBinding, encoded: string): Promise<string> {
  const bytes = await hmacSha256(secret, [prefix, list, expiresWithFilters ? "" : filters, encoded].join("\n"));
  return toBase64Url(bytes.subarray(0, SIGNATURE_BYTES));
}

/** Compares in constant time. */
function equal(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
