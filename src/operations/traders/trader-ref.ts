import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { hasIdPrefix, parseId, parseWallet } from "../../domain/ids.ts";
import type { TraderRef } from "../../queries/traders.ts";
import { EXAMPLE_ADDRESS } from "./trader-example.ts";

/** The path segment of a wallet's operations. */
export const TraderSegment = z.string().min(1).max(100).meta({
  description:
    "The wallet: its address (0x and 40 hex digits), its trd_ id, or a username we know, in upper or lower case. An address that nobody has seen is a wallet of which nothing is known; an unknown id or name is 404, the id of another kind of thing 400.",
  example: EXAMPLE_ADDRESS,
});

/**
 * The wallet a path names.
 *
 * @throws ApiError bad_request for the id of another kind of thing
 */
export function parseTraderRef(given: string): TraderRef {
  const text = given.toLowerCase();
  const address = parseWallet(text.startsWith("trd_0x") ? text.slice("trd_".length) : text);
  if (address !== null) return { address };
  const id = parseId("trader", text);
  if (id !== null) return { id };
  if (hasIdPrefix(text)) throw new ApiError("bad_request", { param: "address", message: "This id does not belong to a trader." });
  return { username: text };
}

export const unknownTrader = (): ApiError =>
  new ApiError("not_found", { param: "address", message: "No wallet has this address, id or name." });
