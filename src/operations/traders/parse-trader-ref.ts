import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { hasIdPrefix, parseId, parseWallet } from "../../domain/ids.ts";
import type { TraderRef } from "../../queries/traders/traders.ts";
import { EXAMPLE_ADDRESS } from "./schemas/trader-example.ts";

/** The path segment that identifies a trader. */
export const TraderSegment = z
  .string()
  .min(1)
  .max(100)
  .meta({
    description:
      "The trader: its wallet address (0x and 40 hex digits), its trd_ id, or a known username. " +
      "Case-insensitive. An address without recorded activity returns a trader with unknown values. An " +
      "unknown id or username is 404; an id of another resource type is 400.",
    example: EXAMPLE_ADDRESS,
  });

/**
 * Parses a trader reference in any letter case.
 *
 * @throws ApiError bad_request for an id of another resource type
 */
export function parseTraderRef(value: string): TraderRef {
  const text = value.toLowerCase();
  const address = parseWallet(text.startsWith("trd_0x") ? text.slice("trd_".length) : text);
  if (address !== null) return { address };
  const id = parseId("trader", text);
  if (id !== null) return { id };
  if (hasIdPrefix(text))
    throw new ApiError("bad_request", { param: "address", message: "This id is not a trader id." });
  return { username: text };
}

export const unknownTrader = (): ApiError =>
  new ApiError("not_found", { param: "address", message: "No trader has this address, id or username." });
