import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { parseConditionId, parseId } from "../../domain/ids.ts";
import type { MarketRef } from "../../queries/market-ref.ts";

/** The path segment of a market's operations. */
export const MarketSegment = z.string().min(1).max(100).meta({
  description:
    "The market: the provider's condition id (0x and 64 hex digits) or its mkt_ id. A text that is neither is 400, a market that is not known 404.",
  example: "mkt_7",
});

/**
 * The market a path names.
 *
 * @throws ApiError bad_request for the id of another kind of thing, and for what is no id
 */
export function parseMarketRef(text: string): MarketRef {
  const id = parseId("market", text);
  if (id !== null) return { id };
  const conditionId = parseConditionId(text);
  if (conditionId !== null) return { conditionId };
  throw new ApiError("bad_request", { param: "condition_id", message: "Give a condition id or a mkt_ id." });
}

export const unknownMarket = (): ApiError => new ApiError("not_found", { param: "condition_id", message: "No such market is known." });
