import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { parseConditionId, parseId } from "../../domain/ids.ts";
import type { MarketRef } from "../../queries/markets/is-market.ts";

/** Path parameter of the market operations. */
export const MarketParam = z
  .string()
  .min(1)
  .max(100)
  .meta({
    description:
      "The market: the provider's condition id (0x and 64 hex digits) or the mkt_ id. Any other text returns 400; " +
      "an unknown market returns 404.",
    example: "mkt_7",
  });

/**
 * Parses a market id of a path or filter.
 *
 * @throws ApiError bad_request for any text that is neither a condition id nor a mkt_ id
 */
export function parseMarketRef(text: string): MarketRef {
  const id = parseId("market", text);
  if (id !== null) return { id };
  const conditionId = parseConditionId(text);
  if (conditionId !== null) return { conditionId };
  throw new ApiError("bad_request", {
    param: "condition_id",
    message: "The market must be a condition id or a mkt_ id.",
  });
}

export const marketNotFound = (): ApiError =>
  new ApiError("not_found", { param: "condition_id", message: "No market has this id." });
