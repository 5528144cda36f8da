import type { OperationContext } from "../../context.ts";
import { findTrader } from "../../queries/traders/traders.ts";
import { presentTraderContext, presentUnknownContext, type TraderContextData } from "./present/present-context.ts";
import { parseTraderRef, unknownTrader } from "./parse-trader-ref.ts";

/**
 * @throws ApiError not_found for an unknown id or username; bad_request for an id of another resource type
 */
export async function findTraderContext(text: string, { db, now }: OperationContext): Promise<TraderContextData> {
  const ref = parseTraderRef(text);
  const row = await findTrader(db, ref, true, now);
  if (row !== null) return presentTraderContext(row, now);
  if ("address" in ref) return presentUnknownContext(ref.address);
  throw unknownTrader();
}
