import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam } from "../../api/request/query-params.ts";
import { FLOW_WINDOWS } from "../../domain/markets/flow-windows.ts";
import { findMarketFlow } from "../../queries/markets/market-flows.ts";
import { TIMEFRAME_PARAM } from "../shared-params.ts";
import { COVERAGE_META, isWindowCovered } from "./flow-coverage.ts";
import { MarketFlow } from "./schemas/flow-schemas.ts";
import { MarketParam, parseMarketRef, marketNotFound } from "./market-param.ts";
import { FLOW_NEEDS_TWO_OUTCOMES, presentMarketFlow } from "./present/present-market-flow.ts";

export const getMarketFlow = defineOperation({
  kind: "single",
  id: "getMarketFlow",
  method: "get",
  path: "/api/v1/market/{condition_id}/flow",
  tag: "Markets",
  summary: "Read the large-trade flow of one market.",
  description:
    "Returns the net flow of all recorded large trades in the market within the timeframe, and the five largest " +
    "positions of graded traders.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { condition_id: MarketParam },
  query: { timeframe: enumParam(FLOW_WINDOWS, "24h").meta(TIMEFRAME_PARAM) },
  reasons: ["bad_request", "not_found", "read_model_warming"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: "get_market_flow",
  object: "market_flow",
  data: MarketFlow,
  meta: COVERAGE_META,
  async handle({ params, query }, { db, now }) {
    const found = await findMarketFlow(db, parseMarketRef(params.condition_id), query.timeframe, now);
    if (found === null) throw marketNotFound();
    if (!found.isSided) throw new ApiError("not_found", { param: "condition_id", message: FLOW_NEEDS_TWO_OUTCOMES });
    if (!isWindowCovered(found.feedReadAt, query.timeframe, now)) throw new ApiError("read_model_warming");
    return { data: presentMarketFlow(found, query.timeframe), meta: { covered_from: found.completeFrom } };
  },
});
