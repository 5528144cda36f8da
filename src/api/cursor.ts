import type { z } from "zod";
import { fromBase64Url, hmacSha256, toBase64Url } from "../lib/hmac.ts";
import { ApiError } from "./errors.ts";

/** What a cursor is good for: one list, one set of filters. */
export interface CursorBinding {
  readonly secret: string;
  readonly prefix: string;
  /** The operation's id; an alias shares its target's. */
  readonly list: string;
  readonly filters: string;
}

const SIGNATURE_BYTES = 16;
const INVALID = { param: "cursor", message: "The cursor is not one that this list and these filters gave out." };

/** The same position always gives the same cursor, so an unchanged page keeps its ETag. */
export async function signCursor(binding: CursorBinding, position: unknown): Promise<string> {
  const encoded = toBase64Url(new TextEncoder().encode(JSON.stringify(position)));
  return `${binding.prefix}${encoded}.${await sign(binding, encoded)}`;
}

/** @throws ApiError invalid_query when the cursor is mangled, or belongs to another list or other filters */
export async function openCursor<S extends z.ZodType>(binding: CursorBinding, cursor: string, position: S): Promise<z.output<S>> {
  const [encoded = "", signature, ...rest] = cursor.startsWith(binding.prefix) ? cursor.slice(binding.prefix.length).split(".") : [];
  if (signature === undefined || rest.length > 0 || !equal(await sign(binding, encoded), signature))
    throw new ApiError("invalid_query", INVALID);
  const bytes = fromBase64Url(encoded);
  const parsed = bytes === null ? null : position.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
  // Signed by us, but by an older release whose positions had another form.
  if (parsed === null || !parsed.success) throw new ApiError("cursor_expired", { param: "cursor" });
  return parsed.data;
}

// Over the encoded text: several texts decode to the same position, and only the one we gave out is a cursor.
async function sign({ secret, prefix, list, filters }: CursorBinding, encoded: string): Promise<string> {
  const bytes = await hmacSha256(secret, [prefix, list, filters, encoded].join("\n"));
  return toBase64Url(bytes.subarray(0, SIGNATURE_BYTES));
}

/** Compares in constant time. */
function equal(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
