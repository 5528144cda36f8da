import { parseConditionId, parseId } from "../../domain/ids.ts";
import type { MarketRef } from "../../queries/market-ref.ts";

/** The market that a filter names. What is no id of a market names one that nobody has: it selects nothing and is no mistake. */
export function parseMarketFilter(text: string): MarketRef {
  const id = parseId("market", text);
  return id === null ? { conditionId: parseConditionId(text) ?? "" } : { id };
}
