import { parseConditionId, parseId } from "../../domain/ids.ts";
import type { MarketRef } from "../../queries/markets/is-market.ts";

/**
 * Parses a market filter. Text that is not a market id is no error: it refers to no market, so it selects
 * nothing.
 */
export function parseMarketFilter(text: string): MarketRef {
  const id = parseId("market", text);
  return id === null ? { conditionId: parseConditionId(text) ?? "" } : { id };
}
