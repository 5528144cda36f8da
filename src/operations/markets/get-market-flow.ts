import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam } from "../../api/params.ts";
import { FLOW_WINDOWS } from "../../domain/flow-windows.ts";
import { findMarketFlow } from "../../queries/market-flow.ts";
import { TIMEFRAME } from "../param-words.ts";
import { COVERED_FROM, isCovered } from "./covered-from.ts";
import { MarketFlow } from "./flow-schemas.ts";
import { MarketSegment, parseMarketRef, unknownMarket } from "./market-ref.ts";
import { NO_SIDES, presentFlow } from "./present-flow.ts";

export const getMarketFlow = defineOperation({
  kind: "single",
  id: "getMarketFlow",
  method: "get",
  path: "/api/v1/market/{condition_id}/flow",
  tag: "Markets",
  summary: "Read the large-trade flow of one market.",
  description:
    "What all recorded large trades moved through the market within the timeframe, and the five largest positions of graded wallets.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { condition_id: MarketSegment },
  query: { timeframe: enumParam(FLOW_WINDOWS, "24h").meta(TIMEFRAME) },
  reasons: ["bad_request", "not_found", "read_model_warming"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: "get_market_flow",
  object: "market_flow",
  data: MarketFlow,
  meta: COVERED_FROM,
  async handle({ params, query }, { db, now }) {
    const found = await findMarketFlow(db, parseMarketRef(params.condition_id), query.timeframe, now);
    if (found === null) throw unknownMarket();
    if (!found.isSided) throw new ApiError("not_found", { param: "condition_id", message: NO_SIDES });
    if (!isCovered(found.feedReadAt, query.timeframe, now)) throw new ApiError("read_model_warming");
    return { data: presentFlow(found, query.timeframe), meta: { covered_from: found.completeFrom } };
  },
});
