import { z } from "zod";
import { fromBase64Url, hmacSha256, toBase64Url } from "../../lib/crypto/hmac.ts";
import { ApiError } from "../errors.ts";
import { isEqualInConstantTime } from "../../lib/crypto/constant-time.ts";
import { secretsOf, type KeyRing } from "../../lib/crypto/key-ring.ts";

/** What a cursor is bound to: one list and one set of filters. */
export interface CursorBinding {
  readonly keys: KeyRing;
  readonly prefix: string;
  /** The operation's id; an alias shares its target's. */
  readonly list: string;
  readonly filters: string;
  /**
   * Puts the filters inside the cursor instead of the signature: a cursor for other filters then returns
   * `cursor_expired`, and a forged one `invalid_query`.
   */
  readonly expiresWithFilters?: true;
}

/** The payload of a cursor that expires with its filters. */
const FiltersAndPosition = z.tuple([z.string(), z.unknown()]);

const SIGNATURE_BYTES = 16;
const OTHER_FILTERS = { param: "cursor", message: "The cursor belongs to other filters." };
const INVALID = { param: "cursor", message: "The cursor was not issued for this list and these filters." };

/** The same position always gives the same cursor, so an unchanged page keeps its ETag. */
export async function signCursor(binding: CursorBinding, position: unknown): Promise<string> {
  const inside = binding.expiresWithFilters ? [binding.filters, position] : position;
  const encoded = toBase64Url(new TextEncoder().encode(JSON.stringify(inside)));
  return `${binding.prefix}${encoded}.${await sign(binding.keys.current, binding, encoded)}`;
}

/**
 * Verifies a cursor and parses its position.
 *
 * @throws ApiError invalid_query when the cursor is malformed, or belongs to another list or other filters;
 *   cursor_expired for other filters with `expiresWithFilters`, and for a position of an older release
 */
export async function openCursor<S extends z.ZodType>(
  binding: CursorBinding,
  cursor: string,
  position: S,
): Promise<z.output<S>> {
  const [encoded = "", signature, ...rest] = cursor.startsWith(binding.prefix)
    ? cursor.slice(binding.prefix.length).split(".")
    : [];
  if (signature === undefined || rest.length > 0 || !(await isSigned(binding, encoded, signature)))
    throw new ApiError("invalid_query", INVALID);
  const bytes = fromBase64Url(encoded);
  const inside: unknown = bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes));
  const [filters, signedPosition] = binding.expiresWithFilters
    ? (FiltersAndPosition.safeParse(inside).data ?? [])
    : [binding.filters, inside];
  const parsed = position.safeParse(signedPosition);
  // The signature is ours, but an older release wrote the position in another format.
  if (!parsed.success) throw new ApiError("cursor_expired", { param: "cursor" });
  if (filters !== binding.filters) throw new ApiError("cursor_expired", OTHER_FILTERS);
  return parsed.data;
}

/** Whether one of the secrets signed a text. Cursors of an earlier secret stay valid. */
async function isSigned(binding: CursorBinding, encoded: string, signature: string): Promise<boolean> {
  for (const secret of secretsOf(binding.keys))
    if (isEqualInConstantTime(encode(await sign(secret, binding, encoded)), encode(signature))) return true;
  return false;
}

// Signs the encoded text: several texts decode to the same position, but only the one we issued is a valid
// cursor.
async function sign(
  secret: string,
  { prefix, list, filters, expiresWithFilters }: Omit<CursorBinding, "keys">,
  encoded: string,
): Promise<string> {
  const bytes = await hmacSha256(secret, [prefix, list, expiresWithFilters ? "" : filters, encoded].join("\n"));
  return toBase64Url(bytes.subarray(0, SIGNATURE_BYTES));
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
