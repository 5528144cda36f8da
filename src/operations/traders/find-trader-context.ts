import type { OperationContext } from "../../context.ts";
import { findTrader } from "../../queries/traders.ts";
import { presentTraderContext, presentUnknownContext, type Context } from "./present-context.ts";
import { parseTraderRef, unknownTrader } from "./trader-ref.ts";

/** @throws ApiError not_found for what is no wallet and nobody's name, bad_request for the id of another kind of thing */
export async function findTraderContext(text: string, { db, now }: OperationContext): Promise<Context> {
  const ref = parseTraderRef(text);
  const row = await findTrader(db, ref, true, now);
  if (row !== null) return presentTraderContext(row, now);
  if ("address" in ref) return presentUnknownContext(ref.address);
  throw unknownTrader();
}
